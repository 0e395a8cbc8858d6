"use strict";
// Everything beside the one row: typing, the whole sheet, earlier rulings, retreats and adjustments, the gate, the boards.
function closePanel() {
  panel = null;
  $("typing").hidden = true;
  $("typing").replaceChildren();
}

function openTyping(label, ...children) {
  panel = "typing";
  $("typing").replaceChildren(el("label", {}, label, ...children));
  $("typing").hidden = false;
}

function showWide(...children) {
  $("wide").replaceChildren(...children);
  $("wide").hidden = false;
  $("desk").hidden = true;
  $("picture").hidden = true;
  $("scans").hidden = true;
  drawKeys();
}

function sheetPicture(sheet) {
  const at = (box, kind, words) => {
    const made = el("i", { class: kind }, words);
    for (const [number, side] of ["left", "top", "width", "height"].entries()) made.style[side] = `${box[number]}%`;
    return made;
  };
  return el("figure", { class: "sheet" }, el("img", { src: sheet.url, alt: "the whole sheet" }), sheet.box ? at(sheet.box, "outline", "") : null,
    ...(sheet.covers ?? []).map((box) => at(box, "cover", "hidden: who wrote it")));
}

function showSheet() {
  if (panel === "sheet") return void draw();
  const it = item();
  panel = "sheet";
  const scans = it.scans?.length ? [el("div", { class: "scans" }, it.sheets.map((sheet) => el("div", {}, el("h3", {}, sheet.words), sheetPicture(sheet))))] : null;
  showWide(...(scans ?? (it.sheets?.length > 1 ? it.sheets : [it.sheet]).map(sheetPicture)));
  const toRow = () => $("wide").querySelector(".outline")?.scrollIntoView({ block: "center" });
  for (const picture of $("wide").querySelectorAll("img")) picture.addEventListener("load", toRow); // each that comes moves the row
  toRow();
}

function showEarlier() {
  if (panel === "earlier") return void draw();
  panel = "earlier";
  const rulings = item().earlier;
  $("beside").replaceChildren(el("h2", {}, "Earlier rulings like this"), rulings.length ? el("ul", {}, rulings.map((ruling) =>
    el("li", {}, el("b", {}, ruling.decision), ` ${ruling.why} `, el("small", {}, `${ruling.case} · ${ruling.by} · ${ruling.asked}`)))) : el("p", {}, "none"));
}

function showSheetKeys() {
  panel = "sheet keys";
  const keys = [["L", "late", "it came late"], ["H", "late, reading had begun", "late, and reading had begun"], ["D", "late, and had been demanded", "late, and had been demanded"], ["R", "refused", "refuse the sheet: its orders do not count"],
    ["F", "on other paper", "it is on other paper than the supplied sheet"], ["J", "joint orders", "it holds joint orders of several powers"], ["V", "proxy orders", "its orders are for later seasons or another's units"]];
  const turn = item().turn;
  const act = (event) => {
    const found = keys.find(([key]) => key === event.key.toUpperCase());
    removeEventListener("keydown", act, true);
    if (!found) return void draw();
    event.stopPropagation(); event.preventDefault();
    send("sheet of", { token: turn, value: found[1] });
  };
  addEventListener("keydown", act, true);
  $("choices").replaceChildren(el("h2", {}, "About the whole sheet"), ...keys.map(([key, title, words]) => chip(key, title, words, null)), el("p", { class: "small" }, "Any other key: back"));
}

function showHelp() {
  if (panel === "help") return void draw();
  panel = "help";
  $("title").textContent = "Keys";
  const lines = [
    ["1–9", "this is what the row means"], ["Enter", "what this tournament's rule says"], ["0", "this row gives no order"],
    ["E", "type the order that stands; ↓ and Tab take an offer, Enter takes what is typed"], ["T", "type what the player wrote; the rules decide what it means"],
    ["Z", "the whole sheet with the row outlined"], ["X", "the whole sheet: late, refused"], ["K", "type the whole sheet without a scan"],
    ["S", "later"], ["U / Y", "undo / redo, your own decisions, up to the last publishing"], ["P", "earlier rulings like this one"],
    ["G", "see everything on the board, then G again publishes it"], ["C", "open the card that was published last"], ["B", "all boards"], ["Esc", "back to the row"],
    ["Signs", "✓ read   ◐ read, worth a glance   ⌨ typed   ⚖ decided here   ∅ nothing written, so the rules say   ? open"],
  ];
  showWide(el("table", { class: "help" }, lines.map(([key, words]) => el("tr", {}, el("td", {}, el("kbd", {}, key)), el("td", {}, asSentence(words))))));
}

async function showBoards() {
  if (panel === "boards") return void draw();
  panel = "boards";
  let boards;
  try { ({ boards } = await ask("/api/boards")); } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return say(refusal.message);
  }
  if (panel !== "boards") return;
  $("title").textContent = "All boards";
  showWide(el("div", { class: "boards" }, boards.map(boardSection)),
    el("p", { class: "small" }, `✓ in · ⌨ typed · ✗ no sheet is in · ? waits for you · ${state.checks}`));
  $("wide").querySelector("button")?.focus();
}

function boardSection(board) {
  const word = board.ended ? `over: ${board.ended}` : board.over ? `to be ended: ${board.over}` : board.own ? "you play here, so somebody else looks after it" : board.ready ? "✓ ready to be published"
    : `${board.in} of ${count(board.of, "sheet")} in${board.open ? `, ${board.open} ${board.open === 1 ? "row waits" : "rows wait"}` : ""}${board.pages ? ", a page that may be one of its sheets waits" : ""}`;
  const acts = [state.publishes && board.ready ? el("button", { type: "button", class: "main", onclick: () => { closePanel(); next(board.board); } }, "Look through and publish") : null,
    state.publishes && board.over ? el("a", { href: "/tables" }, "End it") : null,
    board.own ? null : el("a", { href: `/map/board/${board.board}`, target: "_blank" }, board.played ? "Map of the last phase" : "Map")];
  return el("section", { class: "wholeboard" }, el("h2", {}, `Board ${board.board} · ${board.phase} `, el("span", { class: "small" }, word)), el("p", { class: "acts" }, acts), el("div", { class: "powers" }, board.powers.map((power) => powerCell(board, power))));
}

function powerCell(board, power) {
  const waits = power.open + power.asks;
  const sign = waits && power.in ? "?" : power.state === "typed" ? "⌨" : power.in ? "✓" : "✗";
  const word = !power.in ? "no sheet is in" : power.open ? `${power.open} ${power.open === 1 ? "row waits" : "rows wait"}` : power.asks ? "the sheet waits" : power.state;
  return el("div", { class: `seat${power.in ? "" : " missing"}` }, el("b", {}, `${sign} ${power.power}`), power.player ? el("span", {}, power.player) : null, el("small", {}, word),
    el("span", {}, waits && power.in ? el("button", { type: "button", onclick: () => { sessionStorage.setItem("turn", power.turn); closePanel(); next(); } }, "Settle") : null,
      el("button", { type: "button", "aria-label": `type the orders of ${power.power} on board ${board.board}`, onclick: () => keyIn(power.turn) }, "Type")));
}

function showPublished(published) {
  const link = (url, words) => (url ? el("a", { href: url, target: "_blank" }, words) : null);
  $("published").dataset.card = published.card ?? "";
  $("published").dataset.board = published.board;
  fill($("published"), el("b", {}, `✓ Board ${published.board} ${published.phase} is published`), " ", link(published.card, "Card (C)"), " ",
    ...published.maps.map((url) => link(url, url.startsWith("/map") ? "Map " : `Map as ${url.split(".").pop()} `)), published.next.length ? el("span", { class: "next" }, `Next on board ${published.board}: ${published.next.join(" · ")}`) : null, el("a", { href: published.correct }, "Correct it…"), " ",
    el("button", { type: "button", onclick: () => { $("published").hidden = true; } }, "×"));
  $("published").hidden = false;
}

// What was opened beside the review by a press gives the keys back: Enter decides here again.
addEventListener("click", (event) => { if (event.detail) event.target.closest?.('a[target="_blank"], #published button')?.blur(); });

// Sheets, stray pages, retreats and adjustments, the gate.
function drawOther(it) {
  if (it.kind === "entry") return startEntry(it);
  if (it.kind === "ready") return drawGate(it);
  const seldom = it.choices.filter((choice) => choice.seldom), chipOf = (choice) => chip(choice.key, choice.order, choice.words, choice.why);
  fill($("choices"), el("h2", {}, it.kind !== "sheet" ? it.title : `${it.player ? `${it.power}, ${it.player}` : it.power}: ${it.unsigned ? "the sheet is not signed" : it.state === "in" ? "what of this sheet?" : it.state === "missing" ? "no sheet is in" : it.state}`), it.unsigned ? el("details", { class: "small" }, el("summary", {}, "Why it is asked"), it.why) : el("p", { class: "why" }, it.why), it.quotes?.length ? quoted(it) : null,
    ...it.choices.filter(({ seldom }) => !seldom).map(chipOf), seldom.length ? el("details", {}, el("summary", {}, "Late, other paper, joint orders…"), seldom.map(chipOf)) : null, it.kind === "sheet" ? chip("K", "Type it", "type the lines instead of a scan", null) : null,
    it.correct ? el("p", {}, el("a", { class: "button", href: it.correct }, "See what would change…")) : null);
  $("beside").replaceChildren(...(it.sheets?.length ? it.sheets : it.sheet?.url ? [it.sheet] : []).map(sheetPicture));
  if (it.kind === "page" && !it.sheet) $("beside").replaceChildren(el("p", { class: "small" }, "There is no picture of this page, because the file could not be opened: look at the paper, and scan it again if it is a sheet"));
}

function drawGate(it) {
  const power = (each) => el("section", { class: "power" }, el("h3", {}, each.power, each.state === "in" ? "" : ` · ${each.state}`), ...each.notes.map((note) => el("p", { class: "small" }, note)),
    el("table", {}, each.rows.map((row) => el("tr", { class: row.source }, el("td", { title: row.source }, row.sign), el("td", {}, row.order ? el("b", {}, row.order) : row.ink ? `“${row.ink}” is no order` : row.why),
      el("td", { class: "small" }, row.source === "read" ? "" : row.source)))));
  const without = it.powers.filter((each) => each.state === "no orders").map((each) => each.power);
  const mayCome = state.unread && without.length ? [el("p", { class: "bad" }, `⚠ ${unreadInWords(state.unread)}, and may bring a sheet of ${without.join(", ")}, without orders so far`)] : [];
  showWide(el("h2", {}, "Everything is in and settled"), ...mayCome, el("button", { type: "button", class: "main", "data-key": "G" }, `Publish ${it.phase} as it stands here (G)`), el("details", { class: "small" }, el("summary", {}, "What the signs say"), "✓ read  ◐ read, worth a glance  ⌨ typed  ⚖ decided here  ∅ nothing written, so the rules say"), el("div", { class: "gate" }, it.powers.map(power)));
}

let entry = null; // {slots, chosen, at, digits}
function startEntry(it) {
  entry = { slots: it.slots, chosen: it.slots.map(() => null), at: 0, digits: "" };
  drawEntry();
}

const takes = (order) => order.split(" ")[1]?.slice(0, 3); // a province is built in, or left, only once
function free(slot, number) {
  const taken = entry.chosen.filter((each, other) => each && other !== number && entry.slots[other].turn === slot.turn).map((each) => takes(each.order));
  let key = 0; // what is left begins with 1 again
  return slot.options.filter((option) => option.key === "W" || !taken.includes(takes(option.order))).map((option) => (/\d/.test(option.key) ? { ...option, key: String(++key) } : option));
}

function drawEntry() {
  const rows = entry.slots.map((slot, number) => {
    const chosen = entry.chosen[number], here = number === entry.at;
    return el("section", { class: `slot${here ? " here" : ""}` }, el("h3", {}, here ? "▸ " : chosen ? "✓ " : "· ", `${slot.power}: ${slot.what}`, chosen ? el("b", {}, ` = ${chosen.order}`) : ""),
      here ? el("div", { class: "options" }, free(slot, number).map((option) => chip(option.key, option.order, option.words, null))) : null);
  });
  const open = entry.chosen.filter((each) => !each).length;
  showWide(el("h2", {}, open ? `${open} to choose` : el("span", {}, el("kbd", {}, "Enter"), " saves all")),
    el("div", { class: "beside" }, el("div", { class: "slots" }, rows), el("img", { src: `/map/board/${item().board}?now=1&of=${encodeURIComponent(item().phase)}`, alt: "the board as it stands" })));
  panel = null;
  $("wide").querySelector(".here")?.scrollIntoView({ block: "nearest" });
}

function pressEntry(key) {
  if (key === "Enter") {
    const open = entry.chosen.filter((each) => !each).length;
    if (open) say(`${open} to choose before all is saved`);
    else send("entry", { values: entry.slots.map((slot, number) => `${slot.turn}: ${entry.chosen[number].order}`) });
    return true;
  }
  if (key === "BACKSPACE") {
    entry.at = Math.max(0, entry.at - 1);
    entry.chosen[entry.at] = null;
    entry.digits = "";
    return drawEntry(), true;
  }
  const slot = entry.slots[entry.at];
  if (!slot) return false;
  const options = free(slot, entry.at), typed = entry.digits + key;
  const more = /^\d+$/.test(typed) && options.some((option) => option.key !== typed && option.key.startsWith(typed));
  const found = options.find((option) => option.key === typed);
  if (more) { entry.digits = typed; if (found) setTimeout(() => entry.digits === typed && choose(found), 600); return true; }
  entry.digits = "";
  if (found) choose(found);
  else if (/^[0-9DW]$/.test(key)) say(`${key} is not on offer for ${slot.power}: ${slot.what}`);
  return Boolean(found);
}

function choose(option) {
  entry.chosen[entry.at] = option;
  entry.digits = "";
  entry.at += 1;
  drawEntry();
}
