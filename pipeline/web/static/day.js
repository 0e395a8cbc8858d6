"use strict";
// One page a round: every step with its state in a word, and what is to be done there. Nothing is decided here; the server does.
const STEPS = { roll: ["Roll call", "roll"], draw: ["Draw", "draw"], seats: ["Seats", "seats"], print: ["Print", "print"], scan: ["Scan", "scan"], doubts: ["Doubts", "games"], publish: ["Publish", "games"], end: ["End", "games"], standings: ["Standings", "standings"] };
const SIGNS = { done: "✓", now: "▸", later: "·" };
const LOOK_MS = 4000;
let before = "";

async function tell() {
  const asked = shownRound ? `?round=${encodeURIComponent(shownRound)}` : "";
  const answer = await ask(`/api/day${asked}`);
  const text = JSON.stringify(answer);
  if (text === before) return;
  before = text;
  const isOther = today?.round !== answer.round;
  today = answer;
  if (isOther) { recall(); $("asked").replaceChildren(); }
  $("players").replaceChildren(...today.roll.players.map((each) => el("option", { value: each.name })));
  drawTop(); drawRoll(); drawDraw(); drawSeats(); drawPrint(); drawWatching(); drawBoards(); drawStandings(); drawSettings();
  document.body.dataset.round = today.round;
  document.body.dataset.number = today.number;
}

function drawTop() {
  $("trouble").textContent = today.trouble;
  $("trouble").hidden = !today.trouble;
  fill($("rounds"), ...Array.from({ length: today.rounds }, (_, at) => String(at + 1)).map((number) => button(`round ${number}`, () => { shownRound = number; history.replaceState(null, "", `?round=${number}`); tell(); }, { "aria-pressed": String(number === String(today.round)) })));
  const firstNow = today.steps.find((each) => each.state === "now")?.step;
  fill($("steps"), ...today.steps.map((each) => {
    const [words, section] = STEPS[each.step];
    return el("li", { class: each.state, "data-step": each.step }, button([el("b", {}, `${SIGNS[each.state]}\u00a0${words}`), el("small", {}, each.word)], () => $(section).scrollIntoView({ behavior: "smooth", block: "start" })));
  }));
  fill($("quotes"), ...today.quotes.map((quote) => el("p", { class: "small" }, quote)));
  for (const [step, [, section]] of Object.entries(STEPS)) if (section === step || step === "doubts") $(section).classList.toggle("now", firstNow !== undefined && STEPS[firstNow][1] === section);
}

function drawWatching() {
  const { scan } = today;
  const folder = el("input", { placeholder: "the folder that the scanner writes to", "aria-label": "folder to watch", value: scan.watching });
  const state = scan.came ? el("p", {}, scan.unread ? [el("progress", { max: scan.came, value: scan.came - scan.unread, "aria-label": "files read" }), ` ${scan.came - scan.unread} of ${scan.came} files read`] : `${scan.came} files came, all are read`) : null;
  fill($("watching"), el("div", { class: "row" }, scan.watching ? [el("span", {}, `✓ taking in whatever appears in ${scan.watching}`), button("stop", (made) => tryTo(made, "/api/day/watch", { folder: "" }))] : [folder, button("watch this folder", (made) => tryTo(made, "/api/day/watch", { folder: folder.value }))]),
    scan.gone ? el("p", { class: "bad" }, `the folder cannot be read (${scan.gone}); it is tried again every second`) : null, scan.failed ? el("p", { class: "bad" }, scan.failed) : null, state,
    scan.waiting.length ? el("div", { class: "row" }, scan.waiting.map((name) => button(`pass over ${name}`, (made) => tryTo(made, "/api/day/pass-over", { file: name })))) : null,
    scan.told.length ? el("ul", { class: "small", id: "came" }, scan.told.map((each) => el("li", {}, `${each.state === "filed" ? "✓" : `≠ ${each.state}:`} ${each.page}: ${each.text}`))) : null);
}

function drawBoards() {
  const { boards } = today;
  if (!boards.length) return fill($("games"), el("h2", {}, "Boards: doubts, publish, end"), el("p", { class: "small" }, "They are here after the draw."));
  const link = (to, words, isMain = false) => el("a", { class: `button${isMain ? " main" : ""}`, href: to }, words);
  const rows = boards.map((board) => {
    const state = board.ended ? "■ over" : board.over ? `■ to be ended: ${board.over}` : board.own ? "you play here; another desk settles it" : board.ready ? "✓ ready to publish" : board.left.length ? `? ${board.left.join("; ")}` : board.missing.length ? `waits for ${board.missing.join(", ")}` : board.pages ? "a page waits that may belong here" : `${board.open} rows to settle`;
    const turn = board.powers.find((power) => board.missing.includes(power.power))?.turn;
    const acts = board.ended || board.own ? [] : board.over ? [link("/tables", "end it", true)] : [board.left.length ? link("/notes", "say who has the seat", true) : null, board.ready ? link(`/?gate=${encodeURIComponent(board.board)}`, "look at it and publish", true) : null, board.open || board.pages ? link(`/?board=${encodeURIComponent(board.board)}`, "settle", true) : null, turn ? link(`/?key=${encodeURIComponent(turn)}`, "type orders") : null, link("/tables", "vote or end")];
    return el("tr", { "data-board": board.board }, el("td", {}, el("b", {}, board.board)), el("td", {}, board.ended ? "" : board.phase), el("td", { class: "number" }, board.ended ? "" : `${board.in}/${board.of} in`), el("td", {}, state), el("td", {}, el("div", { class: "row" }, ...acts, el("a", { href: `/map/board/${board.board}`, target: "_blank" }, "map"))));
  });
  fill($("games"), el("h2", {}, "Boards: doubts, publish, end"), el("p", {}, today.left ? `${today.left} things wait in the review. ` : "Nothing waits in the review. ", el("a", { href: "/" }, "open the review")), el("div", { class: "scroll" }, el("table", { class: "boards" }, rows)));
}

function drawStandings() {
  const open = today.open;
  const file = (ending, words) => el("a", { class: "button", href: `/print/standings.${ending}`, target: "_blank" }, words);
  fill($("standings"), el("h2", {}, "Standings"), el("div", { class: "row" }, el("a", { class: "button main", href: "/tables#standings" }, "show them"), file("xlsx", "workbook"), file("pdf", "to pin up (PDF)"), file("csv", "list (CSV)"),
    button(open ? "hide them on the screen" : "show them on the screen", (made) => tryTo(made, "/api/tables/seal", { open: !open }))));
}

const SETTINGS = { name: ["the event’s name", ""], live_address: ["address of the public pages", "https://cup.example.org: of a web space or a tunnel, where telephones do not reach this machine"], backup: ["second place for copies", "a folder on a stick or a share"] };
function drawSettings() {
  const rows = Object.entries(today.settings).map(([name, value]) => {
    const input = el("input", { value, "aria-label": SETTINGS[name][0], placeholder: SETTINGS[name][1], autocomplete: "off" });
    return el("div", { class: "row" }, field(SETTINGS[name][0], input), button("change", async (made) => { if (await tryTo(made, "/api/day/setting", { setting: name, value: input.value })) { if (name === "name") document.querySelector("h1").textContent = input.value.trim(); said(`✓ ${SETTINGS[name][0]} is changed in event.toml`, true); } }));
  });
  const folded = $("settings").querySelector("details"), { address, settings } = today;
  if (address && address !== settings.live_address) rows.push(el("p", { class: "small" }, `Telephones in this room reach this machine at ${address}. `, button("use it for the code on every sheet", (made) => tryTo(made, "/api/day/setting", { setting: "live_address", value: address }, "✓ every sheet that is printed from now on has its code"))));
  fill($("settings"), el("details", { class: "kept", open: folded?.open ? "" : null }, el("summary", {}, "Settings"), ...rows, el("p", { class: "small" }, "They stand in event.toml; every change has its line in the ", el("a", { href: "/journal" }, "journal"), ", where it is taken back.")));
}

const isTyping = () => ["INPUT", "TEXTAREA", "SELECT"].includes(document.activeElement?.tagName) || document.querySelector("details[open]:not(.kept), .people .panel:not(:empty)");

addEventListener("DOMContentLoaded", () => {
  tell().catch((refusal) => said(refusal.message));
  ask("/api/events").then(() => { $("events").hidden = false; }, () => {}); // only where the desk was opened without an event
  setInterval(() => { if (!document.hidden && !isTyping()) tell().then(() => { if ($("said").dataset.gone) { delete $("said").dataset.gone; said(""); } }, (refusal) => { $("said").dataset.gone = "1"; said(refusal.message); }); }, LOOK_MS);
});
