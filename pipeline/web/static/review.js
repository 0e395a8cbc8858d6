"use strict";
// One thing at a time. A key is sent with the fingerprint of what is on the screen; the server refuses it for anything else.
const GUARD_MS = 250;    // a key so soon after a row was painted was meant for the row before
const PUBLISH_GUARD_MS = 700;
const NOTHING = "no order", DOUBTFUL = "doubtful reading";
const ALIVE_MS = 5000;   // a claim lasts three of these
let state = null, busy = false, painted = 0, panel = null, toldAt = 0, seen = 0;
const item = () => state?.item;

// The keys that do something now, and no others: each with whether it does.
const digits = (choices) => choices.filter(({ key }) => /[1-9]/.test(key)).length;
const upTo = (count) => (count > 1 ? `1–${count}` : "1");
const isNothing = (it) => it.enter?.order === NOTHING; // then Enter says what 0 would say
const KEYS = {
  row: (it) => [[upTo(digits(it.choices)), "Choose", digits(it.choices)], ["Enter", "The rule", it.enter], ["0", "No order", !isNothing(it)], ["E", "Type order", true], ["T", "Type what is written", it.line], ["X", "Late, refused…", it.sheet]],
  check: () => [["Enter", "Read right", true], ["E", "Wrong: order", true], ["T", "Wrong: what is written", true]],
  sheet: (it) => [...it.choices.filter(({ seldom }) => !seldom).map(({ key, order }) => [key, asSentence(order), true]), ["K", "Type it", true]],
  page: (it) => [[upTo(digits(it.choices)), "It is this sheet", digits(it.choices)], ...it.choices.filter(({ do: what }) => what === "aside").map(({ key, order }) => [key, asSentence(order), true])],
  entry: (it) => [["1–9", "Choose", true], ...[["D", "Disband", true], ["W", "No build", true]].filter(([key]) => it.slots.some(({ options }) => options.some((option) => option.key === key))), ["⌫", "One back", true], ["Enter", "Save all", true]],
  ready: () => [["G", "Publish", true]],
};

function always(it) {
  const here = state?.boards.find(({ board }) => board === it?.board);
  return [["Z", "See the sheet", it?.sheet], ["P", "Earlier rulings", it?.earlier?.length], ["S", "Later", it && state.left > 1], ["K", "Type a whole sheet", it?.turn], ["U", "Undo", state?.undo], ["Y", "Redo", state?.redo],
    ["G", "Publish", state?.publishes && here?.ready], ["C", "Card", !$("published").hidden && $("published").dataset.card], ["B", "Boards", true], ["?", "Help", true]];
}

// While a panel covers the item, nothing can be decided about it: the panel has keys of its own.
const COVERS = { sheet: [["Z", "Back to the row", true]], help: [["?", "Back", true]], boards: [["B", "Back", true]], keying: [["Ctrl+Enter", "Save", true]] };
const isCovered = () => panel in COVERS && !$("wide").hidden;

function drawKeys() {
  const it = item(), own = KEYS[it?.kind]?.(it) ?? [], names = new Set(own.map(([key]) => key));
  const keys = isCovered() ? [...COVERS[panel], ["Esc", panel === "keying" ? "Drop what is typed" : "Back", true]] : [...own, ...always(it).filter(([key]) => !names.has(key))];
  $("keys").replaceChildren(...keys.filter(([, , does]) => does).map(([key, words]) =>
    el("span", { "data-key": /^(.|Enter|Esc|Ctrl.Enter)$/.test(key) ? key : null }, el("kbd", {}, key), words)));
}

// A finger does what the key does.
const KEY_NAMES = { "⌫": "Backspace", Esc: "Escape" };
function touched(event) {
  const key = event.target.closest?.("[data-key]")?.dataset.key;
  if (key === "Ctrl+Enter") saveLines().catch(tellRefusal);
  else if (key) document.body.dispatchEvent(new KeyboardEvent("keydown", { key: KEY_NAMES[key] ?? key, bubbles: true, cancelable: true }));
}

function say(text, isBad = true) {
  $("said").hidden = !text;
  $("said").className = isBad ? "bad" : "good";
  $("said").textContent = asSentence(text ? `${isBad ? "✗" : "✓"} ${text}` : "");
}

function drawBoards() {
  $("boards").replaceChildren(...state.boards.map((board) => {
    const here = item()?.board === board.board;
    const word = board.ended ? "■ over" : board.over ? "■ to be ended" : board.own ? "you play" : board.ready ? "✓ ready" : board.settle ? `? ${board.settle}` : `${board.in}/${board.of} in`;
    return el("span", { class: `board${here ? " here" : ""}${board.ready ? " ready" : ""}`, title: `${board.phase}: ${board.in} of ${count(board.of, "sheet")} in${board.missing.length ? `, missing ${board.missing.join(", ")}` : ""}` },
      here ? "▸" : "", el("b", {}, board.board), ` ${word}`);
  }));
  const others = state.others.length ? ` · also here: ${state.others.join(", ")}` : "";
  const missing = state.boards.filter((board) => !board.ended && !board.over).reduce((sum, board) => sum + board.awaited, 0);
  $("left").textContent = [`${state.settle} to settle`, state.not_applied.length ? `${state.not_applied.length} to correct` : "", missing ? `${missing} ${missing === 1 ? "sheet" : "sheets"} missing` : "", unreadInWords(state.unread), state.put_off ? `${state.put_off} for later` : ""].filter(Boolean).join(" · ");
  $("left").title = `${state.checks}${others}`;
  document.body.dataset.left = state.left;
}

function drawClock() {
  const clock = state?.clock;
  if (!clock) return $("clock").replaceChildren();
  const now = clockNow(clock, toldAt);
  const warn = clock.since && !now.over && now.left <= WARN_S;
  $("clock").className = `number${warn || now.over ? " warn" : ""}`;
  $("clock").textContent = `${now.over ? "■" : clock.since ? (warn ? "!" : "▶") : "‖"} ${now.name} ${now.over ? "" : clockText(now.left)}`;
}

// The picture is cut to its ink, and as wide as the page; as tall as leaves room for the answers, which stand below it
// already, and never with ink out of sight. A press shows all of it, with its neighbours, and again the ink alone.
function fit() {
  const image = $("crop"), figure = $("picture"), room = $("title").clientWidth;
  if (figure.hidden) return void document.querySelector("main").classList.remove("narrow");
  if (!image.naturalWidth || room <= 0) return;
  const isLarge = figure.classList.contains("large"), it = item();
  const cut = isLarge ? wholeOf(image) : inkedPart(image, it.line ? it.lines ?? [] : []);
  document.querySelector("main").classList.remove("narrow");
  const high = window.innerHeight, tallest = Math.max(high * (high < 480 ? 0.27 : 0.29), Math.min(high * 0.5, leftByAnswers(figure))), scale = isLarge ? Math.max(room / cut.right, 0.6) : Math.min(LARGEST, tallest / heightOf(cut), room / cut.right);
  showStrips(figure, image, cut, scale);
  figure.classList.toggle("grows", !isLarge);
  document.querySelector("main").classList.toggle("narrow", figure.clientWidth < 0.66 * room); // then the sheet so far stands beside it
}

function leftByAnswers(figure) {
  const answers = [...$("choices").querySelectorAll(".choice")].filter((each) => each.offsetParent);
  const [top, bottom] = [$("choices").firstElementChild, answers.at(-1)].map((each) => each?.getBoundingClientRect());
  return bottom ? $("keys").getBoundingClientRect().top - figure.getBoundingClientRect().top - (bottom.bottom - top.top) - 16 : 0;
}

function grow() { $("picture").classList.toggle("large"); fit(); }

function chip(key, title, words, why, classes = "") {
  return el("div", { class: `choice ${classes}`, "data-key": key }, el("kbd", {}, key), el("div", {}, el("b", {}, asSentence(title)), " ", el("span", { class: "words" }, words),
    why ? el("small", { title: why }, why) : null));
}

function quoted(it) {
  return el("blockquote", {}, it.quotes.map((quote) => el("div", {}, el("b", {}, /^\p{Ll}/u.test(quote.rule) ? `${asSentence(quote.rule)}:` : `§ ${quote.rule}`), " ", quote.text)));
}

function drawRow(it) {
  const parts = [];
  const isCheck = it.kind === "check";
  parts.push(el("h2", {}, isCheck ? "Spot check: is this what is written?" : it.scans.length ? "The scans of this sheet differ" : it.line ? `Read: “${it.ink || "nothing"}”` : "Nothing is written for this unit"));
  if (!isCheck) parts.push(el("p", { class: "why" }, it.no_effect ? el("strong", { class: "tag" }, "≡ no effect") : null, it.no_effect ? " every reading leads to the same position · " : null, it.why));
  if (isCheck) parts.push(chip("Enter", it.order ?? "no order", it.words, `read as “${it.ink}”; nobody was asked`, "rule"));
  const first = it.enter ? it.enter.order : null;
  if (it.enter) parts.push(chip("Enter", first, it.enter.words, null, "rule"));
  if (it.quotes.length) parts.push(quoted(it)); // a doubt of the reader is no matter of the rules, and quotes none
  for (const choice of it.choices.filter(({ key }) => key !== "0" || !isNothing(it))) if (!isCheck) parts.push(chip(choice.key, choice.order, choice.words, choice.why));
  const offered = it.choices.map((choice) => choice.value);
  const others = (it.scans.length ? [] : it.readings.slice(1)).filter((text) => !offered.includes(text)).map((text) => `“${text}”`).join("  ");
  if (others && !isCheck) parts.push(el("p", { class: "small" }, `Other readings: ${others}`));
  const seen = it.flags.filter((flag) => flag !== DOUBTFUL); // which the sentence above says
  if (seen.length) parts.push(el("p", { class: "small" }, seen.join(" · ")));
  if (it.earlier.length) parts.push(el("p", { class: "small" }, el("kbd", {}, "P"), ` ${it.earlier.length} earlier ${it.earlier.length === 1 ? "ruling" : "rulings"} like this: ${it.earlier[0].decision}`));
  $("choices").replaceChildren(...parts);
}

function drawBeside(it) {
  const rows = it.rows ?? [];
  $("beside").replaceChildren(...[el("h2", {}, rows.length ? "This sheet so far" : ""), el("table", {}, rows.map((row) =>
    el("tr", { class: row.line === it.line && row.line ? "here" : row.source },
      el("td", { title: row.source }, row.line === it.line && row.line ? "▸" : row.sign), el("td", {}, row.line || "–"),
      el("td", {}, row.order ? el("b", {}, row.order) : el("i", {}, row.ink ? `“${row.ink}”` : row.why || "no order"))))),
    it.line || !it.sheet ? null : sheetPicture(it.sheet)].filter(Boolean));
}

function drawMap(it) {
  const url = it.map ?? null;
  $("map").hidden = !url;
  if (url) $("map").replaceChildren(el("img", { src: url, alt: "the units and provinces around this order" }));
}

async function draw() {
  const it = item();
  closePanel();
  drawBoards(); drawKeys(); drawClock();
  $("wide").hidden = true; $("desk").hidden = false;
  if (!it) return drawNothing();
  const power = it.power ? ` · ${it.power}` : "";
  const line = it.line ? ` · line ${it.line}` : "";
  $("title").textContent = it.board ? `Board ${it.board} · ${it.phase}${power}${line}` : `${it.phase} · ${it.power}`;
  const image = $("crop"), scans = it.scans ?? [], hasPicture = Boolean(it.picture) && !scans.length;
  $("scans").hidden = !scans.length;
  $("scans").replaceChildren(...scans.map((scan) => el("figure", {}, el("figcaption", {}, scan.words), el("img", { src: scan.picture, alt: `row ${it.line} in the ${scan.words}` }))));
  $("picture").hidden = !hasPicture;
  $("picture").classList.remove("large");
  if (hasPicture) {
    image.src = it.picture;
    image.alt = it.line ? `row ${it.line} of the sheet` : "the row in which its order would stand";
    await image.decode().catch(() => { image.alt = "the picture is lost; press Z, or scan the sheet again"; });
  }
  drawMap(it);
  if (it.kind === "row" || it.kind === "check") drawRow(it), drawBeside(it);
  else drawOther(it);
  fit();
  document.body.dataset.kind = it.kind;
  document.body.dataset.token = it.token;
  sessionStorage.setItem("turn", it.turn ?? "");
  painted = performance.now();
  for (const url of state.ahead) new Image().src = url;
}

function drawNothing() {
  $("title").textContent = "Nothing waits for you";
  $("picture").hidden = true; $("scans").hidden = true; $("map").hidden = true;
  const going = state.boards.filter((board) => !board.ended && !board.over), missing = going.filter((board) => board.missing.length);
  const isToEnd = state.boards.some((board) => board.over && !board.ended), isOver = state.boards.length > 0 && !going.length;
  const [to, words, kind] = isToEnd && isOver ? ["/tables", "End the games", "button main"] : isOver ? ["/desk", "To the round", ""] : ["/desk", "To the round: what comes next", "button main"];
  fill($("choices"), el("h2", {}, isOver ? (isToEnd ? "Every game is over, or to be ended." : "All games are over.") : "New sheets appear here by themselves."), state.not_applied.length ? el("ul", {}, notApplied(state.not_applied)) : null, state.unread ? el("p", {}, `${unreadInWords(state.unread)}: nobody is asked for a sheet that they may bring.`) : null, missing.map((board) =>
    el("p", {}, el("b", {}, `Board ${board.board}`), ` · ${board.phase}: ${board.in ? `missing ${board.missing.join(", ")}` : "no sheet is in"}`)), el("p", { class: "small" }, state.checks), state.publishes ? el("p", {}, el("a", { class: kind, href: to }, words)) : null);
  $("beside").replaceChildren();
  document.body.dataset.kind = "nothing";
  document.body.dataset.token = "";
  painted = performance.now();
}

function take(answer) {
  state = answer;
  sees(answer);
  toldAt = performance.now();
  if (answer.published) showPublished(answer.published);
  else if (answer.item && answer.item.board !== $("published").dataset.board) $("published").hidden = true;
  return draw();
}

// Sends a decision about what is on the screen.
async function send(what, values = {}) {
  if (busy) return;
  busy = true;
  const from = panel;
  document.body.classList.add("busy");
  try {
    const answer = await ask("/api/act", { token: item()?.token ?? "", what: item()?.name ?? "", board: item()?.board ?? "", do: what, ...values });
    await take(answer);
    say(answer.told ?? "", false);
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    const isDropped = from && panel !== from; // Escape came first: a question about it would ask about nothing
    if (!isDropped || !refusal.status) say(refusal.message);
    if (!refusal.status) $("said").dataset.gone = "1";
    if (refusal.status === 409) await (panel === "keying" ? keepTyping() : next());
    return refusal;
  } finally {
    busy = false;
    document.body.classList.remove("busy");
  }
}

// Each press of U takes back what was next when it was pressed, also while the one before is on its way; what was
// decided in another window meanwhile stays.
const undos = [];
async function undo() {
  if (!state || (busy && !undos.length)) return;
  const number = state.to_undo[state.to_undo.indexOf(undos.at(-1)) + 1];
  if (number === undefined) return undos.length ? undefined : send("undo"); // it says that there is nothing
  if (undos.push(number) > 1) return;
  while (undos.length) (await send("undo", { value: String(undos[0]) })) ? undos.splice(0) : undos.shift();
}

// What is typed stays on the page when something came in meanwhile; it may be saved beside that, now that it was said.
async function keepTyping() {
  const answer = await ask("/api/next");
  state = { ...answer, item: state.item };
}

async function next(gate = "") {
  const first = sessionStorage.getItem("turn") ?? ""; // after a reload the same sheet is shown again
  try {
    await take(await ask(`/api/next?gate=${encodeURIComponent(gate)}&first=${encodeURIComponent(first)}`));
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    say(refusal.message);
  }
}

// Back to the row; a question about what was typed goes with it, for Enter means the rule again.
function back() {
  say("");
  if (panel || !$("wide").hidden) draw();
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") return void (mayClose() && back());
  if (["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName)) return;
  const key = event.key === "Enter" ? "Enter" : event.key.toUpperCase();
  if (event.repeat) return void event.preventDefault();
  if ((key === "Enter" || key === " ") && event.target.closest("button, a, summary")) return; // they do what they say
  if (key === " ") event.preventDefault();
  if (isCovered() ? leavesPanel(key) : anyTime(key)) return void event.preventDefault();
  if (isCovered() || busy || !item() || performance.now() - painted < GUARD_MS) return;
  const act = { row: pressRow, check: pressCheck, sheet: pressListed, page: pressListed, entry: pressEntry, ready: pressReady }[item().kind];
  if (act(key)) event.preventDefault();
}

// Of a panel that covers the item: the key that opened it closes it; the help and all boards may be opened from any.
function leavesPanel(key) {
  const opens = { "?": showHelp, B: showBoards, Z: panel === "sheet" ? showSheet : null }[key];
  if (!opens || panel === "keying") return false;
  return opens(), true;
}

function anyTime(key) {
  const it = item();
  switch (key) {
    case "U": return undo(), true;
    case "Y": return performance.now() - painted >= GUARD_MS && send("redo"), true; // pressed twice, it is one
    case "?": return showHelp(), true;
    case "B": return showBoards(), true;
    case "C": return $("published").hidden ? false : (window.open($("published").dataset.card), true);
    case "S": return it && performance.now() - painted >= GUARD_MS ? (send("later"), true) : false;
    case "Z": return it?.sheet ? (showSheet(), true) : false;
    case "P": return it?.earlier ? (showEarlier(), true) : false;
    case "G": return it?.kind === "ready" ? false : (goToGate(), true);
    case "K": return it?.turn ? (keyIn(it.turn), true) : false;
    default: return false;
  }
}

function pressRow(key) {
  const it = item();
  const choice = it.choices.find((each) => each.key === key);
  if (choice) return send(choice.do, { value: choice.value, values: ["anyway"] }), true;
  if (key === "Enter") return it.enter ? send("rule") : say("no rule decides this: choose by its number, or E, T, 0"), true;
  if (key === "0") return send("nothing"), true;
  if (key === "E") return typeOrder(), true;
  if (key === "T" && it.line) return typeInk(), true;
  if (key === "X") return showSheetKeys(), true;
  return false;
}

function pressCheck(key) {
  if (key === "Enter") return send("right"), true;
  if (key === "E") return typeOrder(), true;
  if (key === "T") return typeInk(), true;
  return false;
}

function pressListed(key) {
  const choice = item().choices.find((each) => each.key === key && (!each.seldom || $("choices").querySelector("details:has(.choice)").open));
  if (choice) send(choice.do, { value: String(choice.value) });
  return Boolean(choice);
}

function pressReady(key) {
  if (key !== "G") return false;
  if (performance.now() - painted >= PUBLISH_GUARD_MS) send("publish");
  return true;
}

async function goToGate() {
  const board = item()?.board;
  const found = state.boards.find((each) => each.board === board);
  if (!found?.ready) return say(board ? `board ${board} is not ready: ${found?.left.length ? found.left.join("; ") : found?.too_early.length ? found.too_early.join("; ") : found?.missing.length ? `missing ${found.missing.join(", ")}` : found?.pages ? "a page whose sheet is not known yet may be one of its sheets" : "rows wait"}` : "no board is on the screen");
  await next(board);
}

let knocked = "", unsaved = "", failing = ""; // the newest wrong PIN, the trouble with a backup and with other work, that were shown
async function alive() {
  try {
    const { number, knock, backup, trouble, clock } = await ask("/api/alive", {});
    if (state) { state.clock = clock; toldAt = performance.now(); }
    if (knock && knock !== knocked) { knocked = knock; say(`somebody was not let in, ${knock}`, true); }
    if (backup && backup !== unsaved) say(backup, true);
    unsaved = backup ?? "";
    if (trouble && trouble !== failing) say(trouble, true);
    failing = trouble ?? "";
    if (!state) await next();
    if ($("said").dataset.gone) { delete $("said").dataset.gone; say(""); }
    if (number !== seen && state && !item() && !panel) await next();
    seen = number;
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    $("said").dataset.gone = "1";
    say(refusal.message);
  }
}

addEventListener("keydown", press);
addEventListener("resize", fit);
addEventListener("click", touched);
addEventListener("pagehide", () => navigator.sendBeacon(`/api/gone?token=${encodeURIComponent(meta("token"))}`));

// The page Round leads here: to a board's gate, to a board's rows, or to a power that is keyed in.
async function begin() {
  const asked = new URLSearchParams(location.search), key = asked.get("key");
  if (location.search) history.replaceState(null, "", location.pathname);
  if (key ?? asked.get("board")) sessionStorage.setItem("turn", key ?? `${asked.get("board")} `);
  await next(asked.get("gate") ?? "");
  const typed = asked.size ? key : Object.keys(keptDrafts()).at(-1);
  if (typed) keyIn(typed);
}

addEventListener("DOMContentLoaded", () => { $("picture").addEventListener("click", grow); begin(); setInterval(alive, ALIVE_MS); setInterval(drawClock, 500); });
