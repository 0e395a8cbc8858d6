"use strict";
// One page a round: what is due stands on top, finished steps fold to a line. Nothing is decided here; the server does.
// Each step by its word, the section in which it is done, and where its button leads, if that is elsewhere.
const STEPS = { roll: ["Roll call", "roll"], draw: ["Draw", "draw"], seats: ["Seats", "seats"], print: ["Print", "games", "print"], scan: ["Scan", "games", "scan"], doubts: ["Settle", "games"], publish: ["Publish", "games"], end: ["End", "games", "/tables"], standings: ["Standings", "standings"] };
const DRAWN = { roll: drawRoll, draw: () => drawDraw(), seats: drawSeats, games: drawBoards, print: drawPrint, scan: drawWatching, standings: drawStandings, settings: drawSettings };
const SECTIONS = Object.keys(DRAWN).filter((name) => $(name)); // the page of the players has some of them
const isRound = SECTIONS.includes("games");
const SIGNS = { done: "✓", now: "▸", later: "·" };
const LOOK_MS = 4000;
let before = "", wasDue = "";
const opened = new Map(); // a section that somebody opened or closed himself

// A button that is drawn anew while it is pressed, by mouse, finger or space bar, would lose the press: the drawing waits.
let isPressed = false, isWaiting = false;
function hold(is) {
  isPressed = is;
  if (!is && isWaiting) isWaiting = false, setTimeout(look);
}
addEventListener("pointerdown", (event) => hold(event.button === 0), true);
addEventListener("keydown", (event) => { if (event.key === " ") hold(true); }, true);
for (const kind of ["pointerup", "pointercancel", "keyup"]) addEventListener(kind, () => hold(false), true);
addEventListener("blur", () => hold(false)); // of the window: what is let go elsewhere is not heard here
const look = () => tell().catch((refusal) => said(refusal.message));

async function tell() {
  const asked = shownRound ? `?round=${encodeURIComponent(shownRound)}` : "";
  const answer = await ask(`/api/day${asked}`);
  const text = JSON.stringify(answer);
  if (text === before) return;
  if (isPressed) return void (isWaiting = true);
  before = text;
  const isAllRead = isRound && today && !onTheirWay && !answer.scan.unread && (today.scan.unread > 0 || answer.scan.came > today.scan.came);
  const isOther = today?.round !== answer.round, isAnother = today && isOther; // the first one keeps open what another page led to
  today = answer;
  sees(answer);
  if (isOther && isRound) { if (isAnother) opened.clear(); recall(); $("asked").replaceChildren(); wasDue = ""; }
  keepFocus(() => { drawTop(); drawNews(); for (const name of SECTIONS) DRAWN[name](); });
  document.body.dataset.round = today.round;
  document.body.dataset.number = today.number;
  if (isAllRead) await showDue();
}

// When all that was handed in here is read, what is due is brought into sight, unless a page is to be scanned anew.
async function showDue() {
  await tellFates();
  if (sent.size && !isTyping() && !$("fates").querySelector(".retake")) $(dueSection()).scrollIntoView({ behavior: "smooth", block: "start" });
}

const stateOf = (name) => today.steps.find((each) => each.step === name);
// Seats that nobody was told are due until the boards go on without that: then what the boards need is.
const goesOn = () => today.boards.some((board) => board.printed || board.in || board.played);
const FIRST_DUE = ["roll", "draw", "seats", "doubts", "publish", "end", "print", "scan", "standings"]; // of steps that are open at once: as of boards, below
const isPassed = { seats: goesOn, doubts: () => !today.strays && firstDue()?.ready };
const isDue = (step) => stateOf(step).state === "now" && !isPassed[step]?.();
const dueStep = () => FIRST_DUE.find(isDue);
const toSettle = () => playing().reduce((sum, board) => sum + board.settle, today.strays);
const inSections = (step) => step !== "doubts" || toSettle() > 0; // forms are looked at elsewhere
const dueSection = () => (dueStep() ? STEPS[FIRST_DUE.find((step) => isDue(step) && inSections(step)) ?? "doubts"][1] : today.seats.boards.length ? "games" : "roll");

function drawTop() {
  $("trouble").textContent = today.trouble;
  $("trouble").hidden = !today.trouble;
  fill($("rounds"), ...Array.from({ length: today.rounds }, (_, at) => String(at + 1)).map((number) => button(`Round ${number}`, () => { shownRound = number; history.replaceState(null, "", `?round=${number}`); tell(); }, { "aria-pressed": String(number === String(today.round)) })));
  if (isRound) drawSteps();
  const due = isRound ? dueSection() : "", isDrawn = today.seats.boards.length > 0;
  const words = { games: isDrawn ? boardsInWords() : "after the draw", scan: today.scan.watching ? `watching ${today.scan.watching}` : today.scan.before ? `${today.scan.before} is not watched any more` : "" };
  for (const name of SECTIONS) {
    const folded = $(name).querySelector("details"), isOpen = opened.get(name) ?? (!isRound || name === due || (name === "scan" && due === "games") || (!isDrawn && name === "draw" && due === "roll"));
    $(name).classList.toggle("now", name === due);
    $(name).querySelector(".word").textContent = words[name] ?? "";
    if (folded.open !== isOpen) folded.open = isOpen;
  }
  if (due && due !== wasDue) $("work").prepend($(due), ...SECTIONS.filter((name) => name !== due).map($));
  wasDue = due;
}

function drawSteps() {
  $("round").textContent = `Round ${today.round}`;
  const due = dueStep();
  fill($("steps"), ...today.steps.map((each) => {
    const [words, section, elsewhere = section] = STEPS[each.step];
    return el("li", { class: each.step === due ? "now due" : each.state, "data-step": each.step }, button([el("b", {}, `${SIGNS[each.state]}\u00a0${words}`), each.state === "later" ? null : el("small", {}, each.word)].filter(Boolean), () => show(!inSections(each.step) && today.forms ? "/forms" : each.step === "print" && unprinted().length ? section : elsewhere), { title: each.word }));
  }));
  $("practice").hidden = !today.practice;
  const over = today.round_over;
  $("over").hidden = !over;
  if (over) fill($("over"), el("b", {}, today.ended_early ? `The event ended early, after round ${over}.` : `Round ${over} is over.`), el("a", { class: "button", href: "/tables#standings" }, "Standings"), over === today.round ? null : el("a", { href: `/desk?round=${over}` }, `See round ${over}`));
  $("forms").hidden = !today.forms;
  fill($("forms"), el("b", {}, `${count(today.forms, "form")} ${today.forms === 1 ? "waits" : "wait"} for you`), el("a", { class: "button", href: "/forms" }, lookAt(today.forms)));
  $("not-applied").hidden = !today.not_applied.length;
  fill($("not-applied"), ...notApplied(today.not_applied));
  fill($("quotes"), today.quotes.length ? el("details", { class: "kept" }, el("summary", {}, "What the rules say of it"), today.quotes.map((quote) => el("p", { class: "small" }, quote))) : null);
}

function show(section) {
  if (section.startsWith("/")) return void (location = section);
  opened.set(section, true);
  $(section).querySelector("details").open = true;
  $(section).scrollIntoView({ behavior: "smooth", block: "start" });
}

const inside = (name) => $(name).querySelector(".inside");
const lookAt = (number) => `Look at ${number === 1 ? "it" : "them"}`;
const playing = () => today.boards.filter((board) => !board.ended);

function boardsInWords() {
  const settle = toSettle(), missing = playing().reduce((sum, board) => sum + board.awaited, 0);
  if (!playing().length) return "All games are over";
  const anew = playing().reduce((sum, board) => sum + toPrintAnew(board).length, 0);
  return [settle ? `${settle} to settle` : "", anew ? `${count(anew, "sheet")} to print anew` : "", missing ? `${count(missing, "sheet")} missing` : "", unreadInWords(today.scan.unread), count(playing().length, "board")].filter(Boolean).join(" · ");
}

// Of all boards one is due first, and has the coloured button: what the director alone can do goes before paper, and in
// the order in which the review asks it.
const UNPRINTED = 3;
const urgencyOf = (board) => (board.left.length || board.pages ? 0 : board.settle || board.ready ? 1 : board.over ? 2 : !board.printed && !board.keyed ? UNPRINTED : 4);
const firstDue = () => playing().filter((board) => !board.own).sort((one, other) => urgencyOf(one) - urgencyOf(other) || one.place - other.place)[0];

// What comes next on a board: one coloured button, and what is due or may be done besides.
function nextOf(board) {
  const link = (to, words, look = "button main") => el("a", { class: look, href: to }, words);
  const at = encodeURIComponent(board.board);
  if (board.ended || board.own) return null;
  const settle = (look) => board.settle ? link(`/?board=${encodeURIComponent(board.first)}`, `Settle ${board.settle}`, look) : null;
  if (board.over) return [link(`/tables?board=${at}`, "End the game"), settle("button")];
  if (board.left.length) return [link(`/notes?what=substitute&board=${at}`, "Say who has the seat"), settle("button")];
  const anew = toPrintAnew(board);
  if (anew.length) return [button(`Print ${anew.join(", ")} anew`, (made) => printNow(made, { board: board.board, powers: anew }), { class: "main" }), settle("button")];
  const print = (words, look) => button(words, (made) => printNow(made, { board: board.board }), look);
  const key = (look) => [link(`/?gate=${at}`, `Enter the ${board.keyed}`, look), print("Print the sheets", {})]; // few are typed as fast
  if (board.ready) return [link(`/?${board.checks ? "board" : "gate"}=${at}`, `Look at ${board.phase} and publish`), settle("button")]; // spot checks come before it
  if (board.settle) return [settle("button main"), ...(!unprinted().includes(board) ? [] : board.keyed ? key("button") : [print(`Print ${board.phase}`, {})])];
  if (board.pages) return link("/", "Say whose page it is");
  if (board.keyed && !board.printed) return key("button main");
  if (!board.printed) return print(`Print ${board.phase}`, { class: "main" });
  if (today.practice && board.missing.length) return practise(board);
  return button("Scan", () => { show("scan"); $("files").click(); }, today.scan.unread ? {} : { class: "main" });
}

// In an event for practice the players are invented, and so is the pen: it writes on what was printed, and a scanner scans it.
function practise(board) {
  const files = today.practice[board.board];
  if (today.scan.unread) return el("span", {}, "Being read…");
  return files ? button("Scan what they wrote", (made) => tryTo(made, "/api/practice/scan", { board: board.board }, ({ files: came }) => [`✓ ${count(came, "file")} scanned; the sheets are being read`, true]), { class: "main" })
    : button("Fill in the sheets", (made) => tryTo(made, "/api/practice/fill", { board: board.board }, "✓ the invented players have written; now scan it"), { class: "main" });
}

// The boards whose sheets are to be printed, for all or for some powers.
const unprinted = () => playing().filter((board) => !board.printed && (board.missing.length || board.anew.length) && !board.over);

const toPrintAnew = (board) => [...board.anew, ...board.moved]; // their sheets alone: those of the others are good

function printAll(due) {
  const sheets = due.reduce((sum, board) => sum + (toPrintAnew(board).length || board.of), 0);
  return button(`Print what ${count(due.length, "board")} need now: ${count(sheets, "sheet")}`, (made) => printNow(made, { needed: Object.fromEntries(due.map((board) => [board.board, toPrintAnew(board)])) }), { class: "main" });
}

function drawBoards() {
  const { boards } = today;
  if (!boards.length) return fill(inside("games"), el("p", { class: "small" }, "They are here after the draw."));
  const state = (board) => board.ended ? `Over: ${board.ended}` : board.over ? board.over : board.own ? "You play here; somebody else settles it" : board.left.length ? board.left.join("; ") : board.ready ? `Everything of ${board.phase} is in and settled` : board.too_early.length ? board.too_early.join("; ") : board.missing.length || today.scan.unread ? null : board.pages ? "A page waits that may belong here" : null;
  const missing = (board) => board.ended || board.over || board.own || !board.missing.length || board.missing.length === board.of ? null : el("p", {}, "Missing: ", ...board.absent.flatMap((each, at) => [at ? ", " : "", el("a", { href: `/?key=${encodeURIComponent(each.turn)}`, title: "type these orders without a sheet" }, `${each.player || "nobody"} (${each.power})`)]));
  const awaits = (board) => {
    const what = board.awaited ? "what is missing" : board.without.length ? `a sheet of ${board.without.join(", ")}, without orders so far` : "";
    return today.scan.unread && what && !board.ended && !board.over && !board.own ? el("p", {}, `${unreadInWords(today.scan.unread)}, and may bring ${what}`) : null;
  };
  const due = unprinted(), strays = today.strays;
  const first = firstDue(), isAll = due.length > 1 && urgencyOf(first) === UNPRINTED;
  const cards = boards.map((board) => el("article", { class: `boardcard${board.ended ? " over" : ""}${board === first && !isAll ? " next" : ""}`, "data-board": board.board },
    el("h3", {}, `Board ${board.board}`, board.ended ? "" : ` · ${board.phase}`, board.ended || !board.of ? "" : el("small", {}, `${board.in} of ${board.of} in`)),
    el("div", {}, state(board) ? el("p", {}, state(board)) : null, board.ended || board.over ? null : printedAnew("Somebody else sits there since the sheets were printed", board.anew),
      board.ended || board.over ? null : movedInWords(board), correctedInWords(board), awaits(board), missing(board)),
    el("div", { class: "next-act" }, nextOf(board)), el("small", { class: "acts" }, ...links(board))));
  fill(inside("games"), due.length > 1 ? el("div", { class: "row" }, printAll(due)) : null,
    strays ? el("p", {}, `${count(strays, "page")} came whose sheet is not known: `, el("a", { href: "/" }, lookAt(strays))) : null,
    el("div", { class: "boardcards" }, cards));
}

function links(board) {
  const at = encodeURIComponent(board.board), turn = board.absent[0]?.turn;
  const acts = board.ended || board.own ? [] : [board.checks ? el("a", { href: `/?board=${at}` }, `Spot-check ${count(board.checks, "row")}`) : null, turn ? el("a", { href: `/?key=${encodeURIComponent(turn)}` }, "Type orders") : null, el("a", { href: `/tables?board=${at}` }, el("span", { title: "and set the position by hand" }, "Vote, end"))];
  if (board.ended && !board.own) acts.push(el("a", { href: `/tables?board=${at}`, title: "where its end is taken back" }, "Votes and ends"));
  if (board.played && !board.own) acts.push(el("a", { href: `/correct?board=${at}` }, "Correct"));
  const card = board.own ? "" : board.files[0]?.card;
  return [...acts, card ? el("a", { href: card, target: "_blank", title: `the read-out card of ${board.files[0].phase}` }, "Card") : null, el("a", { href: `/map/board/${board.board}`, target: "_blank" }, "Map")].filter(Boolean).flatMap((each) => [each, " · "]).slice(0, -1);
}

function drawWatching() {
  const { scan } = today;
  const folder = el("input", { placeholder: "The folder that the scanner writes to", "aria-label": "folder to watch", value: scan.watching || scan.before }), asked = el("div", {});
  const watch = async (made, old = "") => {
    const answer = await tryTo(made, "/api/day/watch", { folder: folder.value, old });
    if (!answer?.full) return;
    fill(asked, el("div", { class: "asked" }, el("p", {}, `${count(answer.full, "file")} ${answer.full === 1 ? "is" : "are"} in ${answer.folder} already, such as ${answer.names.join(", ")}.`),
      el("div", { class: "row" }, button("Take in only what comes from now on", (pressed) => watch(pressed, "leave"), { class: "main" }), button(`Take in these ${answer.full} too`, (pressed) => watch(pressed, "take")), button("Another folder", () => asked.replaceChildren()))));
  };
  const isHere = (page) => [...sent.values()].some((kept) => page.startsWith(kept.name)); // handed in on this page: told below
  const told = scan.told.filter((each) => !isHere(each.page));
  fill($("watching"), el("div", { class: "row" }, ...(scan.watching ? [el("span", {}, `✓ taking in whatever appears in ${scan.watching}`), button("Stop", (made) => tryTo(made, "/api/day/watch", { folder: "" }, "✓ stopped: nothing more is taken from the folder"))] : [folder, button("Watch this folder", (made) => watch(made))])), scan.before ? el("p", { class: "bad" }, `${scan.before} was watched until the desk ended, and is not watched now: press “Watch this folder” to go on.`) : null, asked,
    scan.folders ? el("p", { class: "small" }, `${count(scan.folders, "folder")} in it ${scan.folders === 1 ? "is" : "are"} not looked into; watch one of those instead if the scanner writes there`) : null,
    scan.gone ? el("p", { class: "bad" }, `The folder cannot be read (${scan.gone}); it is tried again every second`) : null, scan.failed ? el("p", { class: "bad" }, scan.failed) : null, el("p", { id: "read" }),
    scan.waiting.length ? el("details", {}, el("summary", {}, "A file takes too long…"), el("div", { class: "row" }, scan.waiting.map((name) => button(`Pass over ${name}`, (made) => tryTo(made, "/api/day/pass-over", { file: name }))))) : null,
    told.length ? cameBefore(told) : null);
  drawRead();
}

// How many of the files are read, and how many this page still sends.
function drawRead() {
  const { scan } = today;
  const coming = onTheirWay ? `${count(onTheirWay, "file")} ${onTheirWay === 1 ? "is" : "are"} on ${onTheirWay === 1 ? "its" : "their"} way` : "";
  const read = !scan.came ? [] : scan.unread ? [el("progress", { "aria-label": "being read" }), ` ${scan.came - scan.unread} of ${count(scan.came, "file")} read${scan.pages ? `, and ${count(scan.pages, "page")} of the rest` : ""}`] : [scan.came === 1 ? "1 file came and is read" : `${count(scan.came, "file")} came, ${coming ? "and" : "all"} are read`];
  fill($("read"), ...read, read.length && coming ? "; " : "", coming);
  $("read").hidden = !read.length && !coming;
}
document.addEventListener("sending", () => { if (today && $("read")) drawRead(); });

// What came in otherwise than by this page: what is clean is one line.
function cameBefore(told) {
  const list = (some) => (some.length ? el("ul", { class: "small" }, some.map((each) => el("li", {}, `${each.state === "filed" ? "✓" : `≠ ${each.state}:`} ${each.page}: ${each.text}`))) : null);
  const isClean = (each) => each.clean, clean = told.filter(isClean), isOpen = $("came")?.querySelector("details")?.open;
  return el("div", { id: "came" }, list(told.filter((each) => !isClean(each))), clean.length ? el("details", { class: "kept", open: isOpen ? "" : null }, el("summary", {}, "The pages read last"), list(clean)) : null);
}

function drawStandings() {
  const open = today.open, now = "?running=1";
  fill(inside("standings"), el("div", { class: "row" }, el("a", { class: "button main", href: "/tables?show=standings#standings" }, "See them"), ...standingsFiles(),
    button(open ? "Hide them from the players" : "Show them to the players", (made) => tryTo(made, "/api/tables/seal", { open: !open }))),
    el("p", { class: "small" }, open ? "The players see them on the screen and on their telephones." : "The players do not see them on the screen or on their telephones.", today.sealed_by_rule ? " Your rules seal them: what is to pin up has no places and no scores." : open ? null : " But what is to pin up has all places and scores: hang it when they may be seen."),
    el("details", { class: "kept" }, el("summary", {}, "If time were called now; a list with decimal commas"), el("div", { class: "row" }, open ? [standingsFile("xlsx", "Workbook, if time were called now", now), standingsFile("pdf", "To pin up, if time were called now", now)] : el("small", {}, "What they would be if time were called now is there once the players see them."), standingsFile("csv", "List with semicolons and decimal commas", "?semicolons=1"))),
    today.seats.boards.length ? el("p", {}, el("a", { href: "/tables#standings" }, "What is in doubt in the standings")) : null);
}

const SETTINGS = { name: ["The event’s name", ""], paper: ["Paper of everything that is printed from now on", ""], schedule: ["Times of the rounds, on the public pages", "Round 1: Friday 18:00 to 24:00"], notice: ["A text on the screen, and to hang up", "Lunch at 12:30"], live_address: ["Address of the public pages", "https://cup.example.org, a tunnel"], backup: ["Second place for copies", "a folder on a stick or a share"] };
function drawSettings() {
  const rows = Object.entries(today.settings).map(([name, value]) => {
    const input = name === "paper" ? el("select", { "aria-label": SETTINGS[name][0] }, today.papers.map((each) => paperOption(each, each === value))) : el("input", { value, "aria-label": SETTINGS[name][0], placeholder: SETTINGS[name][1], autocomplete: "off" });
    const change = button("Change", async (made) => { if (await tryTo(made, "/api/day/setting", { setting: name, value: input.value }, `✓ ${SETTINGS[name][0]} is changed in event.toml`) && name === "name") document.querySelector("header.nav .event").textContent = input.value.trim(); });
    if (input.matches("input")) onEnter(input, change);
    return el("div", { class: "row" }, field(SETTINGS[name][0], input), change);
  });
  const { address, settings } = today;
  if (address && address !== settings.live_address) rows.push(el("p", { class: "small" }, `Telephones in this room reach this machine at ${address}. `, button("Use it for the code on every sheet", (made) => tryTo(made, "/api/day/setting", { setting: "live_address", value: address }, "✓ every sheet that is printed from now on has its code"))));
  fill(inside("settings"), drawRules(), ...rows, drawCopies(), el("p", { class: "small" }, "They stand in event.toml; every change has its line in the ", el("a", { href: "/journal" }, "journal"), ", where it is taken back."));
}

// What follows from other rules: said before they are taken, and then on the page of the round until it was seen.
function whatFollows({ otherwise, states, places }, [was, now], isOpen) {
  const table = (rows) => el("table", { class: "follows" }, el("tr", {}, ["", was, now].map((words) => el("th", {}, words))), rows.map(([what, before, then]) => el("tr", {}, el("td", {}, asSentence(what)), el("td", {}, before), el("td", {}, el("b", {}, then)))));
  return [otherwise.length ? [el("p", {}, "Published, and not as these rules judge it. ", el("a", { href: "/correct" }, "Correct"), " what is to change:"), el("ul", {}, otherwise.map((line) => el("li", {}, line)))] : el("p", {}, "Nothing that is published is judged otherwise."),
    states.length ? table(states) : null,
    places.length ? el("details", { class: "kept", open: isOpen ? "" : null }, el("summary", {}, `${count(places.length, "player")} with another place or score, as all games stand`), table(places.map((each) => [each.player, each.was, each.now]))) : el("p", {}, "No place and no score changes.")].flat();
}
const NEWS = `news ${meta("event")}`; // of this event, not of another that is opened in the same window
const keepNews = (news) => sessionStorage.setItem(NEWS, JSON.stringify(news));
function drawNews() {
  const news = JSON.parse(sessionStorage.getItem(NEWS) ?? "null"), place = $("news"), rules = JSON.stringify(today.rules);
  if (!place || !news) return;
  if ((news.rules ?? rules) !== rules) { sessionStorage.removeItem(NEWS); place.hidden = true; return; } // they were changed again, or taken back
  if (!place.hidden) return;
  keepNews({ ...news, rules });
  place.hidden = false;
  fill(place, el("p", {}, el("b", {}, asSentence(news.told))), whatFollows(news, ["Before", "Now"]), button("Seen", () => { sessionStorage.removeItem(NEWS); place.hidden = true; }));
}

// Whose rules are played: other ones are taken only after it was shown what they judge and score otherwise.
function drawRules() {
  const { rules } = today, change = el("div", { class: "asked" }), languageName = (code) => new Intl.DisplayNames(["en"], { type: "language" }).of(code);
  const told = el("div", {}, [["Rules", rules.name], ["Language of what players see", languageName(rules.language)], ["Code on every sheet, by which printed ones are known", rules.code]].map(([words, value]) => el("p", {}, `${words}: `, el("b", {}, value))));
  const open = async (made) => {
    if (change.childElementCount) return change.replaceChildren();
    try {
      const found = await working(made, () => ask("/api/events/rules"));
      shown = { ...shown, ...found.shown };
      const which = el("select", { "aria-label": "tournament" }, found.tournaments.map(([id, words]) => el("option", { value: id, selected: id === found.tournament }, words)));
      const language = el("select", { "aria-label": "language of what players see" }, el("option", { value: "" }, "As the rules say"), found.languages.map((each) => el("option", { value: each, selected: each === found.language }, languageName(each))));
      const code = el("input", { value: found.code, size: 6, maxlength: 4, autocomplete: "off", "aria-label": "code on every sheet", disabled: found.is_printed ? "" : null });
      const preview = el("div", { "aria-live": "polite" }), wanted = () => ({ tournament: which.value, language: language.value, code: code.value });
      const take = async (pressed, seen) => {
        try {
          const { number, home } = await working(pressed, () => ask("/api/events/rules", wanted()));
          if (!number) return sayAt(pressed, "nothing was to be changed");
          const changed = [which.value === found.tournament ? "" : `this event goes by the rules of ${which.selectedOptions[0].textContent}`, language.value === found.language ? "" : "players see the other language", code.value.toUpperCase() === found.code ? "" : `the code is ${code.value.toUpperCase()}`].filter(Boolean);
          keepNews({ ...seen, told: `✓ from now on ${changed.join(", ")}: number ${number} of the journal, where it is taken back` });
          location = home;
        } catch (refusal) { refuseAt(pressed, refusal); }
      };
      const lookAt = async (pressed) => {
        try {
          const seen = await working(pressed, () => ask("/api/events/rules/look", wanted()));
          fill(preview, el("div", {}, whatFollows(seen, ["Now", "Then"], true),
            language.value !== found.language ? el("p", {}, "What is printed from now on, the screen and the telephones are in the other language. Sheets that are printed already count as they are.") : null,
            code.value.toUpperCase() !== found.code ? el("p", {}, `Every sheet that is printed has the code ${code.value.toUpperCase()}. Nothing is printed yet, so nothing has the old one.`) : null,
            button(which.value === found.tournament ? "Take this" : "Go by these rules", (made) => take(made, seen), { class: "main" })));
        } catch (refusal) { refuseAt(pressed, refusal); }
      };
      const looking = button("See what changes", lookAt);
      onEnter(code, looking);
      fill(change, el("div", { class: "row" }, field("Rules of", which), field("Language", language), field("Code", code), looking), found.is_printed ? el("p", { class: "small" }, `The code stays ${found.code}: it is printed on paper already, which would not be known by another one.`) : null, preview);
      for (const choice of [which, language, code]) choice.addEventListener("change", () => preview.replaceChildren()); // it was of another choice
    } catch (refusal) { refuseAt(made, refusal); }
  };
  return el("div", { id: "rules" }, told, hasStartPage() ? [el("div", { class: "row" }, button("Other rules, another language or code…", open)), change] : el("p", { class: "small" }, "Other rules, another language or another code are chosen here when the desk was started with “ordersheets” or “ordersheets desk”."));
}

// Copies: the newest of each place, and a button that makes one now.
const SHOWN_COPIES = 6;
function drawCopies() {
  const list = el("div", {});
  const show = async () => {
    const { copies, folder, trouble } = await ask("/api/copies");
    fill(list, trouble ? el("p", { class: "bad" }, trouble) : null, copies.length ? el("table", { class: "boards" }, copies.slice(0, SHOWN_COPIES).map((copy) => el("tr", {}, el("td", {}, copy.at ? localTime(copy.at) : ""), el("td", {}, copy.fault ? `✗ ${copy.fault}` : "✓ whole"), el("td", {}, el("small", {}, copy.place))))) : el("p", {}, "There is no copy yet."),
      hasStartPage() ? el("a", { href: `/events?copies=${encodeURIComponent(folder)}` }, "Restore one…") : el("p", { class: "small" }, "To restore one, end the program, and start “ordersheets” without an event: its page All events restores one."));
  };
  const now = async (made) => { const answer = await tryTo(made, "/api/copies/now", {}, ({ notes }) => [notes.join("; ") || "✓ copied, and every scan in the copies was verified", !notes.length]); if (answer) await show(); };
  const look = (event) => { if (event.target.open) show().catch((refusal) => sayAt(list, refusal.message)); };
  return el("details", { id: "copies", ontoggle: look }, el("summary", {}, "Copies of the event"), el("div", { class: "row" }, button("Copy now", now)), list);
}
const hasStartPage = () => Boolean(document.querySelector('header.nav a[href="/events"]'));

const isTyping = () => ["INPUT", "TEXTAREA", "SELECT"].includes(document.activeElement?.tagName) || document.querySelector("#work details[open]:not(.kept), .people .panel:not(:empty), .asked:not(#asked):not(:empty)");

addEventListener("DOMContentLoaded", () => {
  const wanted = location.hash.slice(1); // another page leads to one section
  if (SECTIONS.includes(wanted)) { opened.set(wanted, true); $(wanted).querySelector("details").open = true; }
  for (const name of SECTIONS) $(name).querySelector("summary").addEventListener("click", () => opened.set(name, !$(name).querySelector("details").open));
  addEventListener("click", (event) => { // the menu leads here, too
    const link = event.target.closest("a[href]"), section = link?.hash.slice(1);
    if (link?.pathname !== location.pathname || !SECTIONS.includes(section)) return;
    event.preventDefault();
    show(section);
  });
  look().then(() => { if (SECTIONS.includes(wanted)) $(wanted).scrollIntoView({ block: "start" }); });
  setInterval(() => { if (!document.hidden && !isTyping()) tell().then(() => { if ($("said").dataset.gone) { delete $("said").dataset.gone; said(""); } }, (refusal) => { $("said").dataset.gone = "1"; said(refusal.message); }); }, LOOK_MS);
});
