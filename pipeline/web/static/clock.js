"use strict";
// The big clock: facts say when it was started, every screen counts by itself, and a restart changes nothing.
let told = null, toldAt = 0, warned = "";

function beep() {
  if (!$("sound") || !$("sound").checked) return;
  const audio = new AudioContext(), tone = audio.createOscillator();
  tone.connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.4);
}

function drawClock() {
  const clock = told && told.clock;
  if (!clock) return;
  const now = clockNow(clock, toldAt);
  if (now.over) now.name = told.words.time_up;
  const warning = clock.warnings.filter((seconds) => now.left <= seconds).pop();
  $("bigclock").className = now.over ? "over" : !clock.since ? "still" : now.left <= WARN_S ? "warn" : "";
  $("part").textContent = `${now.over ? "■ " : clock.since ? "" : "‖ "}${clock.label} · ${now.name}${clock.since ? "" : ` · ${told.words.stopped}`}`;
  $("big").textContent = clockText(now.left);
  $("parts").textContent = clock.parts.map(([name, seconds]) => `${name === now.name ? "▸ " : ""}${name} ${clockText(seconds)}`).join("   ");
  const mark = `${now.name} ${warning || ""}`;
  if (clock.since && warned && mark !== warned) beep();
  warned = mark;
  document.title = `${clockText(now.left)} ${now.name}`;
}

async function tellTime() {
  try {
    told = await ask("/api/clock");
    toldAt = performance.now();
    sees(told);
    if ($("said")) { $("said").hidden = !told.trouble; $("said").textContent = told.trouble; }
    for (const node of document.querySelectorAll("[data-say]")) node.textContent = node.dataset.say === "minutes" ? told.words.minutes : asSentence(told.words[node.dataset.say]);
    if ($("other")) $("other").textContent = asSentence(told.words.start).replace(/\s*:$/, "");
    if ($("plans")) drawPlans();
    if (globalThis.drawScreen) globalThis.drawScreen(told);
  } catch (refusal) {
    $("said").hidden = false;
    $("said").textContent = ((told && told.words.counts_on) || "{why}").replace("{why}", refusal.message);
  }
  drawClock();
}

function drawPlans() {
  if ($("plans").dataset.of === JSON.stringify(told.plans)) return;
  $("plans").dataset.of = JSON.stringify(told.plans);
  $("plans").replaceChildren(...told.plans.map((plan, number) => el("p", {}, el("button", { class: number ? "" : "main", disabled: plan.parts.length ? null : "", onclick: () => set(plan) }, asSentence(`${told.words.start} ${plan.label}`)),
    ` ${plan.parts.map(([name, seconds]) => `${name} ${clockText(seconds)}`).join(", ") || told.words.no_time} `, el("small", {}, `§ ${plan.rule}`))), ...told.quotes.map((quote) => el("p", {}, el("small", {}, `§ ${quote.rule}: ${quote.text}`))));
}

const set = async (plan) => { if (plan.parts.length) await change({ do: "start", label: plan.label, parts: plan.parts, elapsed: 0 }); };
async function change(body) {
  try { await ask("/api/clock/set", body); await tellTime(); } catch (refusal) { $("said").hidden = false; $("said").textContent = refusal.message; }
}

async function halt() {
  const clock = told && told.clock;
  if (!clock) return;
  const gone = clockGone(clock, toldAt);
  await change(clock.since ? { do: "stop", elapsed: gone } : { do: "start", label: clock.label, parts: clock.parts, elapsed: clock.elapsed });
}

addEventListener("DOMContentLoaded", () => {
  stayAwake();
  tellTime();
  setInterval(tellTime, 3000);
  setInterval(drawClock, 200);
  if (!$("plans")) return;
  addEventListener("keydown", (event) => { if (event.key === " " && !["INPUT", "BUTTON"].includes(event.target.tagName)) { event.preventDefault(); if (!event.repeat) halt(); } });
  $("other").addEventListener("click", () => {
    const seconds = Math.round(60 * Number($("minutes").value.replace(",", ".")));
    if (seconds > 0) set({ label: `${$("minutes").value} ${told.words.minutes}`, parts: [[told.words.time, seconds]] });
  });
});
