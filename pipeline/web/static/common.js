"use strict";
// What all pages share: building elements, asking the server, and telling when it is gone.
const $ = (id) => document.getElementById(id);
const meta = (name) => { const found = document.querySelector(`meta[name=${name}]`); return found ? found.content : ""; };

// Televisions and telephones of 2019 (Chrome 76) lack it; what they use is written without newer syntax.
Element.prototype.replaceChildren = Element.prototype.replaceChildren || function (...children) { this.textContent = ""; this.append(...children); };

const there = (children) => children.flat().filter((child) => child !== null && child !== undefined && child !== "");
const fill = (node, ...children) => node.replaceChildren(...there(children)); // what is null is left out, not written

// The element around what an event is about; that may be the document itself, which is in none.
const around = (event, selector) => (event.target.closest ? event.target.closest(selector) : null);

// In this field Enter presses a button.
const onEnter = (input, made) => input.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.isComposing) made.click(); });

function el(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "class") made.className = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...there(children));
  return made;
}

class Refusal extends Error {
  constructor(status, answer) {
    super(answer.said || "the desk refused this and did not say why; load the page again");
    this.status = status;
    this.answer = answer;
  }
}

// What this page shows, each thing by its name with a mark: it goes with every act, and the desk refuses one that rests on
// something that is not so any more. A page takes the marks when it draws what came with them.
let shown = {};
const sees = (answer) => { shown = answer.shown || {}; };

const QUESTIONS = new Set(["/api/alive", "/api/meaning"]); // asked beside an act, while what was refused stands there

// A refused act: what it rests on, as it was shown and as it is. Who has seen both may decide.
function showChanged(changed, marks) {
  document.querySelectorAll(".changed").forEach((old) => old.remove());
  if (!changed || !changed.length) return;
  const lines = (list) => el("td", {}, list.length ? list.map((line) => el("div", {}, line)) : "nothing");
  const made = el("table", { class: "changed", role: "alert" }, el("tr", {}, ...["", "As it was shown", "As it is now"].map((words) => el("th", {}, words))),
    changed.map((each) => { const isNew = (line) => !each.was.includes(line), isGone = (line) => !each.now.includes(line), few = each.was.length > 0;
      return el("tr", {}, el("th", {}, each.what), lines(few ? each.was.filter(isGone) : []), lines(few ? each.now.filter(isNew) : each.now)); }));
  $("said").after(made);
  for (const each of changed) { marks[each.what] = each.mark; shown[each.what] = each.mark; }
}

// The same thing said twice at once, by a double click or in two fields, is said once: both get the one answer.
const ONCE_MS = 600, underWay = new Map(); // by path, what was said last
function ask(path, body) {
  if (body === undefined) return deliver(path);
  const text = JSON.stringify(body), before = underWay.get(path);
  if (before && before.text === text && (!before.done || performance.now() - before.done < ONCE_MS)) return before.answer;
  const now = { text, answer: deliver(path, body), done: 0 };
  underWay.set(path, now);
  now.answer.catch(() => {}).then(() => { now.done = performance.now(); });
  return now.answer;
}

async function deliver(path, body) {
  const marks = (body && body.shown) || shown;
  const options = body === undefined ? { headers: meta("token") ? { "X-Token": meta("token") } : {} } : {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Token": meta("token") },
    body: JSON.stringify({ ...body, shown: marks }),
  };
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Refusal(0, { said: "no answer from the desk; nothing was decided. When the desk is back, this page goes on, or asks who you are" });
  }
  const answer = response.headers.get("content-type") === "application/pdf" ? { file: await response.blob() } : await response.json().catch(() => ({}));
  if (response.status === 401) location = "/door";
  if (response.status === 410) location = "/events"; // the desk was started again, and no event is open
  if (answer.changed || (response.ok && body !== undefined && !QUESTIONS.has(path))) showChanged(answer.changed, marks);
  if (!response.ok) throw new Refusal(response.status, answer);
  return answer;
}

// What was ruled on since it was published, each with the page that corrects it.
const notApplied = (some) => some.map((each) => el("li", { class: "bad" }, `${each.about}: ${each.text} `, el("a", { href: each.correct }, "Correct")));

function clockText(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

const WARN_S = 120; // from here on every clock is yellow (NZ99 8: two minutes before the end)

// How much of the clock is over: as the server told it, and what has gone by since; nobody's clock on the wall is asked.
const clockGone = (clock, told) => clock.gone + (clock.since ? (performance.now() - told) / 1000 : 0);

// The clock as it stands: the part that runs, and what is left of it. `told` is when the server answered.
function clockNow(clock, told) {
  let gone = clockGone(clock, told);
  for (const [name, seconds] of clock.parts) {
    if (gone < seconds) return { name, left: seconds - gone, of: seconds, over: false };
    gone -= seconds;
  }
  return { name: "time is up", left: 0, of: 1, over: true };
}

// Drawing anew puts the focus back on the same button, or on the one in its place: who works by keyboard goes on there.
function keepFocus(draw) {
  const held = document.activeElement, called = (node) => node.getAttribute("aria-label") || node.textContent;
  if (!held || !held.matches("button, summary, a, input, select")) return draw();
  const homes = [];
  for (let home = held.parentElement; home; home = home.parentElement) homes.push([home, [...home.querySelectorAll(held.tagName)].indexOf(held)]);
  draw();
  if (held.isConnected) return;
  const [home, index] = homes.find(([each]) => each.isConnected);
  const those = [...home.querySelectorAll(held.tagName)];
  const again = those.find((each) => called(each) === called(held)) || those[Math.min(index, those.length - 1)];
  if (again) again.focus({ preventScroll: true });
}

// While something is done its button rests, so that a second press is none; where it takes its time a bar runs beside it.
async function working(button, work) {
  const bar = el("progress", { "aria-label": "working" });
  const late = setTimeout(() => button && button.after(" ", bar), 400);
  const hasFocus = button && button === document.activeElement; // which a button that rests loses
  if (button) button.disabled = true;
  try { return await work(); } finally {
    clearTimeout(late); bar.remove();
    if (button) button.disabled = false;
    if (hasFocus && document.activeElement === document.body) button.focus({ preventScroll: true });
  }
}

const button = (words, act, attributes = {}) => { const made = el("button", { type: "button", ...attributes }, words); made.addEventListener("click", () => act(made)); return made; };
const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
const unreadInWords = (count) => (count ? `${count} file${count === 1 ? " is" : "s are"} being read` : "");
const field = (words, input) => el("label", {}, `${words} `, input);
const title = (power) => power[0] + power.slice(1).toLowerCase();

const paperOption = (name, selected = null) => el("option", { value: name, selected }, name === "LETTER" ? "US Letter" : name);

// The files of the standings, beside them wherever the director sees them.
const standingsFile = (ending, words, how = "") => el("a", { class: "button", href: `/print/standings.${ending}${how}`, target: "_blank" }, words);
const standingsFiles = () => [standingsFile("xlsx", "Workbook"), standingsFile("pdf", "To pin up (PDF)"), standingsFile("csv", "List (CSV)")];

// When something was written down, by this machine's clock, in the one format that paper and commands have, too.
function localTime(at) {
  const then = new Date(at), two = (number) => String(number).padStart(2, "0");
  return `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())} ${two(then.getHours())}:${two(then.getMinutes())}`;
}

// Letters as people search for them, as `fold_name` in draw/roster.py has them: Lukasz finds Łukasz, oneill finds O'Neill.
const PLAIN = { ł: "l", đ: "d", ð: "d", ø: "o", ħ: "h", ŋ: "n", ə: "e", æ: "ae", œ: "oe", þ: "th", ß: "ss", ı: "i" };
const folded = (text) => text.toLowerCase().replace(/[łđðøħŋəæœþßı]/g, (sign) => PLAIN[sign]).normalize("NFKD").replace(/[\p{M}'’‘`.´]/gu, "").replace(/[^\p{L}\p{N}]+/gu, " ").trim();

// A message begins as a sentence does, behind its sign; not where it begins with the name of a file or a code.
const asSentence = (text) => text.replace(/^([✓✗?⚠≡≠] )?(\p{Ll})(?=[\p{L}’']*(?:[\s,:;…]|$))/u, (_, sign, letter) => (sign || "") + letter.toUpperCase());

// What became of a press, at the top of the page; an empty text takes it away.
function said(text, isGood = false) {
  $("said").hidden = !text;
  $("said").className = isGood ? "good" : "bad";
  $("said").textContent = asSentence(text);
  if (text && !isGood) $("said").scrollIntoView({ block: "nearest" });
}

// The same for a press after which the page is loaded anew.
const sayAfterwards = (text) => sessionStorage.setItem("said", text);
addEventListener("DOMContentLoaded", () => {
  const text = sessionStorage.getItem("said");
  if (text && $("said")) sessionStorage.removeItem("said"), said(text, true);
});

// The second click of a double click is none: whatever stands there by then was not meant.
addEventListener("click", (event) => { if (event.detail > 1 && around(event, "button")) { event.preventDefault(); event.stopImmediatePropagation(); } }, true);

let pressed = null; // the button that was pressed last: what becomes of it is told there
addEventListener("click", (event) => { pressed = around(event, "button, summary") || pressed; }, true);

// A refusal stands at the field that is wrong, else where the button is that was pressed; each name that is meant instead
// of a typed one is a button.
function sayAt(place, text, isGood = false, instead = []) {
  document.querySelectorAll(".told-here").forEach((old) => old.remove());
  if (!text) return;
  const made = el("p", { class: `told-here ${isGood ? "good" : "bad"}`, role: "alert" }, asSentence(`${isGood ? "✓" : "✗"} ${text}`));
  const at = place || $("said");
  const closed = at.closest("details:not([open])");
  if (closed) closed.setAttribute("open", "");
  (at.closest(".field, .position, .wide, .row, fieldset, form, section, li") || at).after(made);
  for (const [typed, meant] of instead) {
    const holds = (input) => input.value.split(/\r?\n/).some((line) => line.trim() === typed);
    const wrong = [...(at.closest("form, section, li, .row") || document).querySelectorAll("input, textarea")].find(holds);
    const put = (name) => { wrong.value = wrong.value.split(/\r?\n/).map((line) => (line.trim() === typed ? name : line)).join("\n"); made.remove(); wrong.focus(); };
    if (wrong) made.append(...meant.flatMap((name) => [" ", button(name, () => put(name))]));
  }
  made.scrollIntoView({ block: "nearest" });
}

// What the desk refuses is said where it was asked for, and no good news of before stands beside it; a fault of the page itself stays one.
function refuseAt(place, refusal, before = "") {
  if (!(refusal instanceof Refusal)) throw refusal;
  said("");
  sayAt(place, before + refusal.message, false, refusal.answer.instead);
}

// A screen, a clock and a camera are looked at and not touched: the machine does not go dark meanwhile, where its browser can say so.
let awake = null;
async function keepAwake() {
  try { awake = navigator.wakeLock ? await navigator.wakeLock.request("screen") : null; } catch { awake = null; } // refused: the battery is low
}
function stayAwake() {
  keepAwake();
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible" && (!awake || awake.released)) keepAwake(); });
}

// Names to be ticked, found by a few letters where there are many; no name needs to be typed in full.
const FEW = 12;
function tickNames(words, names, ticked) {
  const chosen = new Set(ticked.filter((name) => names.includes(name)));
  const list = el("div", { class: "ticks" }), count = el("span", { class: "small" });
  const show = (wanted = "") => {
    const found = names.filter((name) => folded(name).includes(folded(wanted)));
    fill(list, ...found.map((name) => {
      const box = el("input", { type: "checkbox", checked: chosen.has(name) ? "" : null });
      box.addEventListener("change", () => { if (box.checked) chosen.add(name); else chosen.delete(name); tell(); });
      return el("label", {}, box, ` ${name}`);
    }));
  };
  const tell = () => { count.textContent = chosen.size ? ` ${[...chosen].join(", ")}` : " nobody"; };
  const find = names.length > FEW ? el("input", { type: "search", placeholder: "Find a name", "aria-label": `${words}: find a name`, autocomplete: "off" }) : null;
  if (find) find.addEventListener("input", () => show(find.value));
  show(); tell();
  return { node: el("fieldset", { class: "names" }, el("legend", {}, words, count), find, list), read: () => [...chosen] };
}

// The menu More: it closes by Escape, by a press beside it, and when the focus leaves it; no key does anything else meanwhile.
const menu = () => document.querySelector("header.nav details.more[open]");
const closeMenu = (event) => { if (menu() && !around(event, "header.nav details")) menu().removeAttribute("open"); };
addEventListener("click", closeMenu);
addEventListener("focusin", closeMenu);
addEventListener("keydown", (event) => {
  const open = menu();
  if (!open || event.key === "Tab") return;
  const links = [...open.querySelectorAll("a")], at = links.indexOf(document.activeElement), step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape") { open.open = false; open.querySelector("summary").focus(); }
  if (step) links[(at + step + links.length) % links.length].focus();
  if (step || event.key === "Escape") event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// To the journal, where the lines of one act are ticked to be taken back together.
const takeBackLink = (numbers, words) => el("a", { href: `/journal?tick=${numbers.join(",")}#together` }, words);
// What is to be collected and printed anew, on the pages Round and Correct; there with a button: ``print`` prints some powers' sheets.
const printedAnew = (words, powers, print) => (powers.length ? el("div", { class: "bad" }, `${words}: collect and print anew for ${powers.join(", ")} `, print ? button(`Print ${powers.join(", ")} anew`, (made) => print(made, powers)) : null) : null);
const movedInWords = ({ moved }, print) => printedAnew("⚠ What they must order has changed since the sheets were printed", moved, print);
const correctedInWords = ({ corrected, gone }) => [...corrected.map(({ phase, card, map, back }) => el("div", {}, `${phase} ${back ? "counts as it was before" : "was published anew"}: collect what hangs, and hang up `, [[card, "its card"], [map, "its map"]].filter(([url]) => url).flatMap(([url, words]) => [el("a", { href: url, target: "_blank" }, words), " · "]).slice(0, -1))), ...gone.map((phase) => el("div", {}, `${phase} is not published any more: take down its card and map`))];
