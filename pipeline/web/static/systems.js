"use strict";
// The gallery: a card for each system; the one that is pressed shows its lines for a rules file.
let systems = [];

function card(system) {
  const about = `${system.name}. ${system.summary}`;
  return el("button", { class: "hung", type: "button", "data-system": system.id, "aria-pressed": "false", onclick: () => choose(system) },
    el("img", { src: system.picture, alt: about, loading: "lazy", width: 640, height: 250 }),
    el("span", {}, system.summary), el("small", {}, `rewards ${system.rewards}`));
}

function choose(system) {
  for (const each of document.querySelectorAll(".hung")) each.setAttribute("aria-pressed", String(each.dataset.system === system.id));
  const lines = `[scoring]\nsystem = "${system.id}"\n`;
  const copied = el("span", { class: "small" });
  const copy = async () => {
    try { await navigator.clipboard.writeText(lines); copied.textContent = " copied"; } catch { copied.textContent = " mark the lines and copy them"; }
  };
  fill($("chosen"), el("h2", {}, system.name), el("p", { class: "small" }, system.told), el("p", {}, system.summary),
    el("pre", {}, lines), el("p", {}, el("button", { type: "button", onclick: copy }, "Copy the lines"), copied),
    el("p", {}, "or make an event by it, where a new event is made: “Rules of your own”"),
    el("p", { class: "small" }, `Source: ${system.source}. ${system.why}`));
  $("chosen").hidden = false;
}

function show() {
  const wanted = $("find").value.trim().toLowerCase();
  const found = systems.filter((each) => `${each.id} ${each.name} ${each.summary} ${each.rewards} ${each.told}`.toLowerCase().includes(wanted));
  $("hung").replaceChildren(...found.map(card));
  $("count").textContent = `${found.length} of ${systems.length}`;
}

async function begin() {
  try { ({ systems } = await ask("/api/systems")); show(); } catch (refusal) { said(`✗ ${refusal.message}`); }
}

$("find").addEventListener("input", show);
begin();
