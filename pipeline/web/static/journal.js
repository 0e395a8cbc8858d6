"use strict";
// The journal: the newest line first. What would follow is said before anything is taken back, and what must go first by its number.
const PAPER = new Set(["SCAN_RECEIVED", "SCAN_READ", "PAGE_READ", "PLAYERS_NUMBERED", "CLOCK_STARTED", "CLOCK_STOPPED"]); // no decision of a person's
let lines = [], oldest = 0;
const alone = new Set(); // the lines that another page leads to, shown without the others
const ticked = new Set((new URLSearchParams(location.search).get("tick") ?? "").split(",").filter(Boolean).map(Number)); // the numbers that are taken back together

async function tell(before) {
  const asked = new URLSearchParams({ board: $("board").value, who: $("who").value.trim(), before: before ?? "" });
  const told = await ask(`/api/journal?${asked}`);
  lines = before ? [...lines, ...told.lines] : told.lines;
  oldest = told.oldest;
  sees(before ? { shown: { ...told.shown, ...shown } } : told);
  const board = $("board").value;
  $("board").replaceChildren(el("option", { value: "" }, "All"), ...told.boards.map((name) => el("option", { value: name, selected: name === board ? "" : null }, name)));
  $("people").replaceChildren(...[...new Set(lines.map((line) => line.who))].map((name) => el("option", { value: name })));
  keepFocus(draw);
}

function draw() {
  const isAlone = lines.some((line) => alone.has(line.number));
  const shown = lines.filter((line) => (isAlone ? alone.has(line.number) : !$("acts").checked || !PAPER.has(line.code)));
  $("filter").hidden = isAlone;
  $("whole").hidden = !isAlone;
  fill($("lines"), shown.length ? shown.map(row) : el("li", {}, el("span", { class: "what" }, "Nothing yet")));
  $("older").hidden = !oldest || isAlone;
  for (const number of ticked) if (!lines.some((line) => line.number === number && mayGo(line))) ticked.delete(number);
  drawTogether();
}

// Where lines are taken back: of a change of the rules, where the event is opened anew, with a token of its own.
const takeBack = async (taken, why) => {
  const anew = taken.some((line) => line.anew) && document.querySelector("a[href='/events']");
  const { numbers } = await ask(anew ? "/api/events/undo" : "/api/journal/undo", { numbers: taken.map((line) => line.number), why });
  if (anew) { sayAfterwards(`✓ taken back, written down as ${numbers.join(", ")}: the event goes by what event.toml said before`); location.reload(); await new Promise(() => {}); }
  return numbers;
};
// Where something rests on what is taken back, the desk says so once more if no reason is given.
const whyField = (isWanted, words) => el("input", { "aria-label": words, placeholder: isWanted ? "Why, as something rests on it" : "Why (if any)", size: 30, autocomplete: "off" });
const mayGo = (line) => !line.back && line.standing !== "stays";

// Several lines are taken back together, all of them or none: what would follow of each is said before.
function drawTogether() {
  const chosen = lines.filter((line) => ticked.has(line.number));
  $("together").hidden = !chosen.length;
  if (!chosen.length) return $("together").replaceChildren();
  const asks = chosen.some((line) => line.standing === "asks");
  const why = whyField(asks, "why these lines are taken back");
  const none = el("button", { type: "button", onclick: () => { ticked.clear(); draw(); } }, "Tick none");
  const form = el("form", {}, el("b", {}, `${chosen.length} ${chosen.length === 1 ? "line" : "lines"}, taken back together or not at all:`),
    el("ul", {}, chosen.map((line) => el("li", {}, `${line.number}: ${line.would}`))), why, " ", el("button", { class: "main", type: "submit" }, "Take them back"), " ", none);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const numbers = await working(event.submitter, () => takeBack(chosen, why.value));
      const gone = [...ticked].sort((a, b) => a - b);
      ticked.clear();
      await tell();
      said(`✓ ${gone.join(", ")} ${gone.length === 1 ? "is" : "are"} taken back, written down as ${numbers.join(", ")}`, true);
    } catch (refusal) { refuseAt(why, refusal, "nothing is taken back: "); }
  });
  fill($("together"), form);
}

// The box before a line that can be taken back; paper and what was drawn openly have none.
function tick(line) {
  if (!mayGo(line)) return null;
  const box = el("input", { type: "checkbox", "aria-label": `number ${line.number}, together with others` });
  box.checked = ticked.has(line.number);
  box.addEventListener("change", () => { if (box.checked) ticked.add(line.number); else ticked.delete(line.number); drawTogether(); });
  return box;
}

const seen = (number) => lines.some((line) => line.number === number);
const about = (told) => el("li", {}, told.words, told.number && seen(told.number) ? [" ", el("a", { href: `#n-${told.number}` }, `See ${told.number}`)] : null);

function row(line) {
  const act = el("span", { class: "act" }), panel = el("div", { class: "panel", hidden: "" });
  const item = el("li", { id: `n-${line.number}`, class: line.back ? "back" : "" },
    el("span", { class: "number" }, tick(line), String(line.number)),
    el("span", { class: "who" }, line.who, el("span", { class: "when" }, localTime(line.at))),
    el("span", { class: "what" }, line.what, line.why ? el("small", {}, `why: ${line.why}`) : null, line.followed.map((told) => el("small", {}, `→ ${told.words}`))), act, panel);
  if (line.back) act.append(el("a", { href: `#n-${line.back}` }, `Taken back: ${line.back}`));
  else if (line.standing !== "stays") act.append(el("button", { "aria-expanded": "false", "aria-label": `take back… number ${line.number}`, onclick: () => toggle(line, act, panel) }, "Take back…"));
  if (line.correct) act.append(" ", el("a", { href: line.correct, "aria-label": `correct the phase of number ${line.number}` }, "Correct…"));
  return item;
}

// The lines of a correction, which go as one act, as they were entered; any other line alone.
const actOf = (line) => (line.whole.length > 1 && line.whole.every(seen) ? lines.filter((each) => line.whole.includes(each.number)) : [line]);

// What would follow, and what rests on it; what must go first leaves no button.
function toggle(line, act, panel) {
  panel.hidden = !panel.hidden;
  act.firstChild.setAttribute("aria-expanded", String(!panel.hidden));
  if (panel.hidden) return;
  const whole = actOf(line), numbers = whole.map((each) => each.number), isOne = whole.length === 1;
  const outside = whole.map((each) => ({ standing: each.standing, rests: each.rests.filter((told) => isOne || !numbers.includes(told.number)) })).filter(({ rests }) => rests.length);
  const rests = outside.flatMap((each) => each.rests), isHeld = outside.some(({ standing }) => standing === "held");
  const close = el("button", { type: "button", onclick: () => toggle(line, act, panel) }, isHeld ? "Close" : "Leave it");
  if (isHeld) {
    fill(panel, el("p", {}, "It cannot be taken back now:"), el("ul", {}, rests.map(about)), close);
    return;
  }
  const why = whyField(rests.length > 0, `why number ${line.number} is taken back`);
  const follows = isOne ? el("p", {}, el("b", {}, "What would follow: "), `${line.would}.`)
    : [el("p", {}, el("b", {}, `Numbers ${[...numbers].reverse().join(", ")} are one correction, and are taken back together:`)), el("ul", {}, whole.map((each) => el("li", {}, `${each.number}: ${each.would}`)))];
  const form = el("form", {}, follows, rests.length ? el("ul", {}, rests.map(about)) : null,
    el("p", {}, why), el("button", { class: "main", type: "submit" }, isOne ? "Take it back" : "Take them back"), " ", close);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const done = await working(event.submitter, () => takeBack(whole, why.value));
      await tell();
      said(isOne ? `✓ number ${line.number} is taken back, written down as number ${done[0]}` : `✓ ${[...numbers].reverse().join(", ")} are taken back, written down as ${done.join(", ")}`, true);
    } catch (refusal) { refuseAt(why, refusal); }
  });
  fill(panel, form);
  why.focus();
}

addEventListener("DOMContentLoaded", () => {
  const again = () => tell().catch((refusal) => said(refusal.message));
  $("filter").addEventListener("submit", (event) => event.preventDefault());
  $("board").addEventListener("change", again);
  $("who").addEventListener("change", again);
  $("acts").addEventListener("change", draw);
  const showWhole = () => { alone.clear(); draw(); };
  $("whole").addEventListener("click", showWhole);
  addEventListener("hashchange", () => { if (!$(location.hash.slice(1))) showWhole(); $(location.hash.slice(1))?.scrollIntoView(); }); // to a line that is not shown
  for (const number of ticked) alone.add(number);
  $("older").addEventListener("click", () => tell(oldest).catch((refusal) => said(refusal.message)));
  again();
});
