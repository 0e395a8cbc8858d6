"use strict";
// Typing: what is typed is read by this tournament's rules on the server, and what that gives is shown beside it. What
// the rules do not follow as it is typed wants a second Enter, on what is on the screen.
const LOOK_MS = 120;

const meaning = (body) => ask("/api/meaning", body);

function drawMeaning(node, found, isSure) {
  const bad = found?.wrong || found?.doubt, isKept = isSure && !found?.wrong;
  node.className = `meaning ${bad ? (isKept ? "kept" : "bad") : "good"}`;
  if (bad) fill(node, `${isKept ? "✓ meant so: " : "✗ "}${bad}`);
  else fill(node, ...(found?.means ?? []).flatMap((each) => ["= ", el("b", {}, each.order ?? "no order"), ` ${each.words}${each.rule ? ` · § ${each.rule}` : ""} `]));
}

// The one order that a line gives as it is typed; none where it is doubtful.
const meantBy = (found) => (found && !found.doubt && !found.wrong && found.means.length === 1 ? found.means[0].order : null);

// One line typed for the row on the screen: the order that stands ("order"), or what the ink says ("ink").
function typeFor(it, kind, label, value, orders, how) {
  const input = el("input", { "aria-label": label, spellcheck: "false", value });
  const shown = el("p", { "aria-live": "polite" });
  let wait = 0, found = null, foundFor = null, asked = 0, isSending = false;
  const look = async () => {
    const typed = input.value.trim();
    const body = { turn: it.turn, token: it.token, typed, as: kind };
    const { lines } = typed ? await meaning(body) : { lines: [] };
    if (input.value.trim() !== typed) return;
    [found, foundFor] = [lines[0] ?? null, typed];
    drawMeaning(shown, found, false);
    list?.mark(meantBy(found));
  };
  const changed = () => { asked = 0; clearTimeout(wait); wait = setTimeout(() => look().catch(tell), LOOK_MS); };
  const tell = (refusal) => { if (!(refusal instanceof Refusal)) throw refusal; say(refusal.message); };
  const list = orders ? complete(input, orders, it.unit) : null;
  input.addEventListener("input", changed);
  input.addEventListener("taken", changed);
  input.addEventListener("keydown", async (event) => {
    if (event.key !== "Enter" || event.repeat || event.isComposing) return;
    event.preventDefault();
    const typed = input.value.trim(), isAgain = asked && foundFor === typed && performance.now() - asked >= GUARD_MS;
    if (!typed || typed === it.unit || isSending) return;
    isSending = true;
    const refusal = await send(how, { value: typed, values: isAgain ? ["anyway"] : [] });
    if (refusal && input.isConnected && input.value.trim() === typed) {
      await look().catch(tell);
      asked = refusal.answer?.anyway ? performance.now() : 0;
    }
    isSending = false;
  });
  openTyping(`${label} `, input, list, shown);
  input.focus();
  if (kind === "ink") input.select(); else input.setSelectionRange(value.length, value.length);
  if (value.trim() && kind === "ink") look().catch(tell);
}

async function typeOrder() {
  const it = item(), { orders } = await legal(it.turn);
  if (item() !== it) return;
  typeFor(it, "order", "The order that stands", it.unit ? `${it.unit} ` : "", orders, "order");
}

function typeInk() {
  const it = item();
  typeFor(it, "ink", "What is written", it.read, null, "text");
}

// A power's whole sheet: a line for each order that is due, its unit in front, and free lines below for anything else.
const NOT_TO_BE_TYPED = [403, 409, 422]; // what the desk answers for lines that are not this log-in's to type, or not now
let keyed = null;
async function keyIn(turn) {
  try {
    const found = await legal(turn), kept = keptDrafts()[turn];
    openKeying(turn, found.orders, kept?.lines ?? found.lines, kept?.shown ?? found.shown); // what was there when the typing began
    if (kept) say("what was typed before is here again; it is not saved yet", false);
  } catch (refusal) {
    if (NOT_TO_BE_TYPED.includes(refusal.status)) dropDraft(turn); // kept where the desk gave no answer, or wants a log-in
    tellRefusal(refusal);
  }
}

// What is typed and not saved stays in the browser, should its page be left: going back shows it again.
// Each sheet has its own; the one that was typed last is the last.
const draftPlace = () => `typed ${document.title}`;
const keptDrafts = () => { try { return JSON.parse(sessionStorage.getItem(draftPlace())) ?? {}; } catch { return {}; } };
const dropDraft = (turn) => { const { [turn]: _, ...others } = keptDrafts(); sessionStorage.setItem(draftPlace(), JSON.stringify(others)); };
const keepDraft = (turn, draft) => { dropDraft(turn); sessionStorage.setItem(draftPlace(), JSON.stringify({ ...keptDrafts(), [turn]: draft })); };

// "Board 2.2 · Fall 1901 · Austria", of "2.2 F1901M AUSTRIA".
function turnInWords(turn) {
  const [board, , ...power] = turn.split(" ");
  const phase = state?.boards.find((each) => each.board === board)?.phase;
  return ["Board " + board, phase, title(power.join(" "))].filter(Boolean).join(" · ");
}

function openKeying(turn, orders, lines, marks) {
  panel = "keying";
  $("title").textContent = turnInWords(turn);
  const rows = el("ol", { class: "keying" }), left = el("p", { class: "small", "aria-live": "polite" });
  const add = (unit, value) => { const line = keyedLine(orders, unit, value); keyed.lines.push(line); rows.append(line.row); return line; };
  keyed = { turn, shown: marks, lines: [], left, add, wait: 0, asked: 0, drawn: 0, isSaving: false, isDropped: false };
  for (const [unit, value] of lines) add(unit, value);
  if (lines.every(([unit]) => unit)) add("", "");
  showWide(el("h2", {}, "Type the orders"), el("p", { class: "small" },
    "Behind its unit a place is enough: arm. ↓ and Tab take an offer, Enter takes what is typed and goes on; on the last line it saves, Ctrl+Enter saves at once. ",
    "In “quotes”, and on a line without a unit, it is taken as the player wrote it. An empty line is not written down. A sheet that came in before counts no more."),
    el("div", { class: "beside" }, el("div", { class: "typed" }, rows, left), item()?.turn === turn && item().sheet ? sheetPicture(item().sheet) : null));
  keyed.lines[0].input.focus();
  if (lines.some(([, value]) => value)) lookAtLines().catch(tellRefusal);
}

function keyedLine(orders, unit, value) {
  const input = el("input", { spellcheck: "false", autocomplete: "off", "aria-label": unit || "one more line", value: value || (unit ? `${unit} ` : "") });
  const shown = el("p", { "aria-live": "polite" });
  const list = complete(input, orders, unit);
  const line = { input, unit, shown, list, row: el("li", {}, input, list, shown), found: null, foundFor: null, at: 0, isEntered: false, sure: null };
  const changed = () => {
    line.isEntered = false; line.sure = null; keyed.isDropped = false;
    keepDraft(keyed.turn, { lines: keyed.lines.map((each) => [each.unit, each.input.value]), shown: keyed.shown });
    clearTimeout(keyed.wait);
    keyed.wait = setTimeout(() => lookAtLines().catch(tellRefusal), LOOK_MS);
    if (!unit && keyed.lines.at(-1) === line && input.value.trim()) keyed.add("", "");
  };
  input.addEventListener("input", changed);
  input.addEventListener("taken", changed);
  input.addEventListener("focus", () => input.setSelectionRange(input.value.length, input.value.length));
  input.addEventListener("paste", (event) => pasteLines(event, line));
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.repeat || event.isComposing) return;
    event.preventDefault();
    if (event.ctrlKey) saveLines().catch(tellRefusal); else enterLine(line);
  });
  return line;
}

const tellRefusal = (refusal) => { if (!(refusal instanceof Refusal)) throw refusal; say(refusal.message); };
const isDoubtful = (line) => line.foundFor === line.input.value && (line.found?.wrong || (line.found?.doubt && line.sure !== line.found.text));

// Enter goes on to the next line at once: a typist does not wait. On a line that was entered before, and is shown to be
// doubtful, it is the second Enter.
function enterLine(line) {
  const isAgain = line.isEntered && isDoubtful(line) && !line.found.wrong && performance.now() - line.at >= GUARD_MS;
  line.isEntered = true;
  if (isAgain) {
    line.sure = line.found.text;
    drawMeaning(line.shown, line.found, true);
  }
  const next = keyed.lines[keyed.lines.indexOf(line) + 1];
  if (!next || keyed.isSaving) return void saveLines().catch(tellRefusal);
  next.input.focus();
  clearTimeout(keyed.wait);
  lookAtLines().catch(tellRefusal);
}

// Shows what each line means beside the others; false where something was typed while the answer was on its way.
async function lookAtLines() {
  const here = keyed, number = ++here.asked, values = here.lines.map((line) => line.input.value);
  const { lines, left } = await meaning({ turn: here.turn, lines: values, units: here.lines.map((line) => line.unit) });
  if (keyed !== here || panel !== "keying") return false;
  if (number > here.drawn) {
    here.drawn = number;
    for (const [at, value] of values.entries()) drawLine(here.lines[at], value, lines[at]);
    const isBegun = here.lines.some((line) => line.input.value.trim() !== line.unit);
    fill(here.left, isBegun && left.length ? `without a line, and asked when this is saved: ${left.join("; ")}` : "");
  }
  return here.lines.every((line, at) => line.input.value === (values[at] ?? ""));
}

function drawLine(line, value, found) {
  if (line.input.value !== value) return;
  if (line.foundFor !== value || JSON.stringify(line.found) !== JSON.stringify(found)) line.at = performance.now();
  [line.found, line.foundFor] = [found, value];
  drawMeaning(line.shown, found, line.sure === found.text);
  line.list.mark(meantBy(found));
}

async function saveLines() {
  clearTimeout(keyed.wait);
  if (!(await lookAtLines()) || busy) return;
  const doubtful = keyed.lines.find(isDoubtful);
  keyed.isSaving = Boolean(doubtful);
  if (doubtful) {
    doubtful.isEntered = true;
    doubtful.at = performance.now();
    doubtful.input.focus();
    doubtful.row.scrollIntoView({ block: "nearest" });
    return say(doubtful.found.wrong || `${doubtful.found.doubt}; correct it, or press Enter on it again if it is meant so`);
  }
  const here = keyed.turn;
  const refusal = await send("type", { token: keyed.turn, shown: keyed.shown, values: keyed.lines.map((line) => line.input.value), units: keyed.lines.map((line) => line.unit),
    sure: keyed.lines.map((line) => line.sure).filter(Boolean) });
  if (!refusal) dropDraft(here);
}

// Many lines at once are the player's own: each goes on a free line, as it is written.
function pasteLines(event, line) {
  const lines = event.clipboardData.getData("text").split(/\r?\n/).map((text) => text.trim()).filter(Boolean);
  if (lines.length < 2) return;
  event.preventDefault();
  for (const text of lines) {
    const free = keyed.lines.find((each) => !each.unit && !each.input.value.trim()) ?? keyed.add("", "");
    free.input.value = text;
    free.input.dispatchEvent(new Event("input"));
  }
  (keyed.lines.at(-1) ?? line).input.focus();
}

// Escape drops nothing that is typed without saying so first.
function mayClose() {
  if (panel !== "keying") return true;
  if (keyed.isDropped || keyed.lines.every((line) => line.input.value.trim() === line.unit)) return dropDraft(keyed.turn), true;
  keyed.isDropped = true;
  say("Escape again drops what is typed; Ctrl+Enter saves it");
  return false;
}
