"use strict";
// Choose an event, or make one. What is typed for a new one is looked through by the server before anything is made.
const OWN = "own", REST_MS = 700;
let start = null, tournament = "", file = null;

async function tryTo(made, path, body, fieldOf = () => null) {
  sayAt(made, "");
  said("");
  try { return await working(made, () => ask(path, body)); } catch (refusal) {
    refuseAt(fieldOf(refusal.answer?.where ?? "") ?? made, refusal);
    return null;
  }
}

const wide = (words, input, help = "") => el("label", { class: "wide" }, words, input, help ? el("small", {}, help) : null);

function drawMe() {
  const name = el("input", { value: start.name, "aria-label": "your name", autocomplete: "name" });
  const save = async (made) => { const answer = await tryTo(made, "/api/events/me", { name: name.value }); if (answer) { start.name = answer.name; sees(answer); drawMe(); } };
  fill($("me"), start.name ? el("p", {}, "What you decide is signed ", el("b", {}, start.name), ". ", button("Another name…", () => { start.name = ""; drawMe(); })) : el("div", { class: "row" }, el("label", {}, "Your name, kept with every decision: ", name), button("That is me", save, { class: "main" })));
}

// Copies of an event: when each was made, where it lies, whether it is whole; one is restored, and what is there is kept.
function drawCopies(restored) {
  const folder = el("input", { placeholder: "The folder of the event", "aria-label": "folder of the event", value: new URLSearchParams(location.search).get("copies") ?? start.open });
  const place = el("input", { placeholder: "Other copies: a stick, a share", "aria-label": "place of the copies" }), found = el("div", { "aria-live": "polite" });
  const without = el("input", { type: "checkbox" });
  let newest = 0; // line of the journal in the folder
  const restore = (copy) => async (made) => {
    const answer = await tryTo(made, "/api/events/restore", { folder: folder.value, place: copy.place, copy: copy.copy, without_damaged: without.checked });
    if (!answer) return;
    restored(answer); // the page's own login ended with the event that was replaced: nothing is asked for again
    fill(found, el("p", { class: "good" }, `✓ restored from the copy of ${localTime(copy.at)}, and open. Scan and rule again what came after it. `), el("ul", {}, answer.notes.map((each) => el("li", {}, each))), el("a", { class: "button main", href: answer.home }, "To the event"));
  };
  const row = (copy) => el("tr", {}, el("td", {}, copy.at ? localTime(copy.at) : ""), el("td", {}, copy.facts ? `up to number ${copy.facts} of the journal` : ""), el("td", {}, copy.fault ? `✗ ${copy.fault}` : "✓ whole"), el("td", {}, copy.event), el("td", {}, el("small", {}, [copy.place, copy.copy].filter(Boolean).join("/"))), el("td", {}, copy.fault || !copy.copy ? null : button("Restore this…", (made) => askFirst(made, copy))));
  // What is replaced, and what of it the copy does not have, is said before.
  const askFirst = (made, copy) => {
    const newer = newest > copy.facts ? ` The copy knows nothing of the ${count(newest - copy.facts, "newest line")} of the journal (after number ${copy.facts}): the scans and decisions of these do not count any more.` : "";
    const panel = el("div", { class: "asked" }, el("p", { tabindex: "-1" }, newest ? `The event in ${folder.value} is replaced by the copy of ${localTime(copy.at)}.${newer} All that is in the folder now is kept beside it, under another name.` : `The copy of ${localTime(copy.at)} is laid into ${folder.value}. What is there now is kept beside it, under another name.`),
      button("Replace it by this copy", restore(copy), { class: "main" }), " ", button("Leave it", () => panel.replaceWith(made)));
    made.replaceWith(panel);
    panel.firstChild.focus();
  };
  const look = async (made) => {
    sayAt(made, "");
    try {
      const answer = await working(made, () => ask(`/api/events/copies?${new URLSearchParams({ folder: folder.value, place: place.value })}`));
      sees({ shown: { ...shown, ...answer.shown } });
      newest = answer.newest;
      fill(found, answer.gone ? el("p", { class: "bad" }, "event.db is gone from this folder, and with it every decision. Restore the newest copy that is whole.") : null, answer.copies.length ? el("div", { class: "scroll" }, el("table", { id: "copies-found" }, answer.copies.map(row))) : el("p", {}, "No copy is here. Name the place where copies were made: the stick or the share."),
        answer.copies.length ? el("p", {}, el("label", {}, without, " Without scans that are damaged or missing")) : null);
    } catch (refusal) { refuseAt(made, refusal); }
  };
  const looking = button("Show the copies", look);
  const all = el("details", { id: "copies" }, el("summary", {}, "Restore an event from a copy"), el("p", {}, "The event in the folder is replaced by the copy. What is there now is kept beside it, under another name."), el("div", { class: "row" }, folder, place, looking), found);
  if (new URLSearchParams(location.search).has("copies")) { all.open = true; setTimeout(() => looking.click()); }
  return { node: all, of: (where) => { folder.value = where; all.open = true; looking.click(); all.scrollIntoView({ block: "nearest" }); } };
}

function openIt(folder) { return async (made) => { const answer = await tryTo(made, "/api/events/open", { folder }); if (answer) location = answer.home; }; }

function drawRecent() {
  const folder = el("input", { placeholder: "The folder of an event", "aria-label": "folder", value: start.start });
  const inside = el("div", {});
  const look = async (where) => {
    try {
      const found = await ask(`/api/events/folders?folder=${encodeURIComponent(where)}`);
      folder.value = found.folder;
      fill(inside, el("div", { class: "row" }, button("↑ One up", () => look(found.above)), found.is_event ? button("Open this event", openIt(found.folder), { class: "main" }) : null,
        ...found.folders.map((each) => (each.is_event ? button(`Open ${each.name}`, openIt(each.folder), { class: "main" }) : button(`${each.name}/`, () => look(each.folder))))), found.more ? el("p", { class: "small" }, `${found.more} more are not shown; type the folder`) : null);
    } catch (refusal) { said(`✗ ${refusal.message}`); }
  };
  const cards = el("div", { class: "cards" });
  const drawTiles = () => fill(cards, start.recent.map((each) => button([el("b", {}, each.name), el("small", {}, each.told), el("small", {}, each.folder)], each.gone ? () => copies.of(each.folder) : openIt(each.folder), { "data-folder": each.folder, "aria-pressed": String(each.folder === start.open) })));
  const copies = drawCopies(({ open, recent }) => { Object.assign(start, { open, recent }); drawTiles(); }), opening = button("Open it", (made) => openIt(folder.value)(made));
  onEnter(folder, opening);
  drawTiles();
  fill($("recent"), el("h2", {}, start.recent.length ? "Your events" : "Open an event"), cards,
    el("details", {}, el("summary", {}, "An event in another folder"), el("div", { class: "row" }, folder, opening, button("Look into this folder", () => look(folder.value))), inside), copies.node);
}

function drawSample() {
  const make = async (made) => { const answer = await tryTo(made, "/api/events/sample", {}); if (answer) location = answer.home; };
  fill($("sample"), el("div", { class: "row" }, "Never done this before? Fifteen invented players, nothing to lose:", button("Try the sample event", make)));
}

const code64 = (buffer) => { let text = ""; for (const byte of new Uint8Array(buffer)) text += String.fromCharCode(byte); return btoa(text); };

function drawNew() {
  const name = el("input", { "aria-label": "name of the event", autocomplete: "off" }), folder = el("input", { "aria-label": "folder of the new event", autocomplete: "off" });
  const code = el("input", { "aria-label": "code", maxlength: 4, placeholder: "By lot", autocomplete: "off" }), paper = el("select", { "aria-label": "paper" }, start.papers.map((each) => paperOption(each)));
  const named = (code) => new Intl.DisplayNames(["en"], { type: "language" }).of(code);
  const language = el("select", { "aria-label": "language of what players see" }, el("option", { value: "" }, "As the rules say"), ...start.languages.map((each) => el("option", { value: each }, named(each))));
  const own = el("input", { "aria-label": "own rules file", placeholder: "Its path; it ends in .toml" }), text = el("textarea", { rows: 8, "aria-label": "the players", placeholder: "A name a line, or name, club; or rows copied out of a spreadsheet, with a heading 'name' above the names" });
  const found = el("div", { "aria-live": "polite" }), picked = el("input", { type: "file", accept: ".csv,.txt,.tsv,.xlsx,.xlsm,.xls,.xlsb,.ods", "aria-label": "roster file" });
  let typed = false;
  folder.addEventListener("input", () => { typed = true; });
  name.addEventListener("input", () => { if (!typed) folder.value = `${start.start}/${name.value.trim().toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "")}`; });
  const cards = el("div", { class: "cards" });
  const take = (id) => () => { tournament = id; own.value = ""; drawCards(); };
  const card = (id, words, more, source = "") => button([el("b", {}, words), el("small", {}, more)], take(id), { title: source, "data-tournament": id, "aria-pressed": String(id === tournament) });
  function drawCards() {
    fill(cards, ...start.tournaments.map((each) => card(each.id, each.name, count(each.rounds, "round"), each.source)), card(OWN, "Rules of your own", "A dozen questions"));
    questions.hidden = tournament !== OWN;
  }
  // Rules of one's own: a scoring system of the gallery, and the questions that 'rules --new' asks.
  const asked = start.questions.map((each) => [each, each.key === "system" ? el("select", { "aria-label": each.text }, el("option", { value: "" }, "Choose"), start.systems.map((system) => el("option", { value: system.id }, system.name)))
    : each.known.length && each.key !== "ties" ? el("select", { "aria-label": each.text }, each.known.map((word) => el("option", { selected: word === each.otherwise ? "" : null }, word))) : el("input", { "aria-label": each.text, value: each.otherwise, autocomplete: "off" })]);
  const picture = el("div", {}), answers = () => Object.fromEntries(asked.map(([each, input]) => [each.key, input.value]));
  const system = asked.find(([each]) => each.key === "system")[1];
  system.addEventListener("change", () => { const found = start.systems.find((each) => each.id === system.value); fill(picture, found ? [el("p", {}, found.summary), el("img", { src: found.picture, alt: `${found.name}: points by centres`, width: 640, height: 250 })] : null); });
  const lines = (rare) => asked.filter(([each]) => each.is_rare === rare).flatMap(([each, input]) => [wide(each.text.replace(/ \('\?'.*\)/, ""), input), each.key === "system" ? picture : null]);
  const questions = el("div", { hidden: "" }, lines(false), el("details", {}, el("summary", {}, "Something rarer, such as coefficients or a second title"), lines(true)));
  const isOwn = () => tournament === OWN;
  own.addEventListener("input", () => { tournament = own.value.trim(); drawCards(); });
  // What the director said of the list: what a column means, names that look alike, rows that may be no players, how it was saved.
  const nothing = () => ({ columns: {}, merged: [], both: [], rows: {}, encoding: "", sheets: [] });
  let choices = nothing(), ways = [], seen = ""; // the list that was shown last: no event is made of another one
  // What was said of a row is said of its text: where that is changed, it is asked about anew.
  const chosen = {}, lineOf = (row) => text.value.split("\n")[parseInt(row, 10) - 1];
  const forgetChanged = () => { for (const row of Object.keys(choices.rows)) if (lineOf(row) !== chosen[row]) delete choices.rows[row]; };
  const forget = () => { choices = nothing(); ways = []; };
  const roster = () => ({ ...(file ? { file: file.data, file_name: file.name } : { text: text.value }), ...choices });
  const look = async (made) => {
    const answer = await tryTo(made, "/api/events/roster", roster());
    if (!answer) return answer;
    ways = answer.encodings.length ? answer.encodings : ways, seen = JSON.stringify(roster());
    fill(found, answer.faults.length ? el("ul", { class: "faults" }, answer.faults.map((each) => el("li", {}, `✗ ${each}`))) : el("p", {}, `${answer.asks ? "So far" : "✓"} ${answer.players.length} ${answer.players.length === 1 ? "player" : "players"}: ${answer.players.join(", ")}`),
      askWay(answer.asks && !choices.encoding), askSheets(answer.sheets), askRows(answer.doubtful), answer.notes.length ? el("ul", { class: "kept" }, answer.notes.map((each) => el("li", {}, each))) : null, ...answer.alike.map((each) => askAlike(each, answer.same.includes(each))), columnsOf(answer));
    return answer;
  };
  const askWay = (isAsked) => {
    if (!ways.length) return null;
    const choice = el("select", { "aria-label": "how the list was saved" }, isAsked ? el("option", { value: "" }, "Choose how the names are spelt") : null, ways.map((way) => el("option", { value: way.encoding, selected: way.encoding === choices.encoding ? "" : null }, `${way.samples.join(", ")} (${way.title})`)));
    choice.addEventListener("change", () => { choices.encoding = choice.value; looked(); });
    return el("div", { class: "row" }, el("label", {}, "The file does not say how its letters are saved. The names are spelt ", choice));
  };
  const askSheets = (titles) => {
    if (titles.length < 2) return null;
    const ticks = titles.map((title) => [title, el("input", { type: "checkbox" })]);
    return el("fieldset", {}, el("legend", {}, "Which sheets hold the players?"), ticks.map(([title, tick]) => el("label", {}, tick, ` ${title}`)), button("Read these sheets", () => { choices.sheets = ticks.filter(([, tick]) => tick.checked).map(([title]) => title); looked(); }));
  };
  const FEWEST_SHOWN = 18, MOST_SHOWN = 60; // letters of a name
  const askRows = (doubtful) => {
    if (!doubtful.length) return null;
    const nameIn = (line, name) => el("input", { value: name, "aria-label": `name in row ${line}`, size: Math.min(MOST_SHOWN, Math.max(FEWEST_SHOWN, name.length + 2)), autocomplete: "off" });
    const asked = doubtful.map((each) => [each, el("input", { type: "checkbox", checked: each.is_likely ? "" : null, "aria-label": `row ${each.line} is a player` }), el("td", {}, nameIn(each.line, each.name))]);
    for (const [each, tick, names] of asked) if (each.names.length) names.append(button(`Make ${count(each.names.length, "player")} of it`, () => { tick.checked = true; fill(names, each.names.map((name) => nameIn(each.line, name))); }));
    const answerOf = (names) => { const typed = [...names.querySelectorAll("input")].map((name) => name.value.trim()).filter(Boolean); return typed.length > 1 ? typed : typed[0] ?? null; };
    const take = () => { for (const [each, tick, names] of asked) choices.rows[each.line] = tick.checked ? answerOf(names) : "", chosen[each.line] = lineOf(each.line); looked(); };
    return el("div", {}, el("p", {}, `${count(asked.length, "row")} ${asked.length === 1 ? "is" : "are"} to be looked over. Tick what is a player, with the right name; what is not ticked is left out.`), el("table", { id: "doubtful" }, el("tbody", {}, asked.map(([each, tick, names]) => el("tr", {}, el("td", {}, tick), el("th", { scope: "row" }, `Row ${each.line}`), el("td", {}, each.text), el("td", {}, each.why), names)))), button("This is right", take, { class: "main" }));
  };
  const askAlike = (alike, isSame) => el("div", { class: "row" }, el("b", {}, `${alike}: `), button("One person: join the entries", () => { choices.merged.push(alike); looked(); }), isSame ? el("span", {}, "Two people? Add an initial to one of the names in the list, and look at it again") : button("Two people", () => { choices.both.push(alike); looked(); }));
  const MEANS = { "": "Kept, and not used", first_name: "First name", family_name: "Family name", distance_km: "Distance in km", keep_apart: "Kept apart from", two_boards: "May play two boards", stands_aside: "Volunteers to sit out" };
  const columnsOf = ({ columns: listed, meanings }) => (!listed.length ? null : el("details", { open: listed.every((each) => each.meaning !== "name") ? "" : null }, el("summary", {}, "What each column is taken for"), el("table", {}, el("tbody", {}, listed.map((each) => {
    const choice = el("select", { "aria-label": `what the column ${each.heading} means` }, ["", ...meanings].map((one) => el("option", { value: one, selected: one === each.meaning ? "" : null }, MEANS[one] ?? asSentence(one.replaceAll("_", " ")))));
    choice.addEventListener("change", () => { choices.columns[each.heading] = choice.value; looked(); });
    return el("tr", {}, el("th", { scope: "row" }, each.heading), el("td", {}, each.sample), el("td", {}, choice));
  })))));
  const looked = () => look(lookAt);
  const lookAt = button("Look at the list", look);
  picked.addEventListener("change", async () => { const one = picked.files[0]; file = one ? { name: one.name, data: code64(await one.arrayBuffer()) } : null; text.disabled = Boolean(file); forget(); await looked(); });
  let pause = 0; // when the typing rests, not when the field is left: nothing may move under a press of the button
  text.addEventListener("input", () => { forgetChanged(); clearTimeout(pause); pause = setTimeout(looked, REST_MS); });
  const last = (path) => path.split(/[\\/]/).filter(Boolean).at(-1); // the server may know the folder by a longer path
  const fieldOf = (where) => (where === "--code" ? code : where === "folder" || last(where) === last(folder.value) ? folder : null);
  const make = async (made) => {
    clearTimeout(pause);
    if (!tournament) return sayAt(cards, "choose whose rules you play by");
    if (!folder.value.trim()) return sayAt(name, "give the event a name");
    const before = seen, list = await look(lookAt);
    if (!list || list.faults.length) return sayAt(made, "the list of players has faults; they stand above, each with its line");
    if (list.asks) return sayAt(made, "the list of players has rows to be looked over; they stand above");
    if (seen !== before) return sayAt(made, "the list of players was not shown before; it stands above: look it over, and press again");
    const answer = await tryTo(made, "/api/events/new", { folder: folder.value, ...(isOwn() ? { answers: answers() } : { tournament }), name: name.value, code: code.value, paper: paper.value, language: language.value, ...roster() }, fieldOf);
    if (answer) location = answer.home;
  };
  drawCards();
  fill($("new"), el("h2", {}, "A new event"), wide("Name, printed on every sheet", name), el("fieldset", {}, el("legend", {}, "Whose rules you play by"), cards, questions),
    wide("Players: paste or type them here", text, "Other columns, such as email, are kept."), wide("Or take them from a file", picked, "CSV or Excel"), el("div", { class: "row" }, lookAt), found,
    el("details", {}, el("summary", {}, "Folder, code, paper, language, a rules file"), wide("Folder of the event", folder), wide("A rules file of your own, instead of the rules above", own), el("div", { class: "row" }, el("label", {}, "Code (four letters and digits, on every sheet) ", code), el("label", {}, "Paper ", paper), el("label", {}, "Language of what players see ", language))), el("div", { class: "row" }, button("Make the event", make, { class: "main" })));
}

addEventListener("DOMContentLoaded", async () => {
  try { start = await ask("/api/events"); sees(start); drawMe(); drawSample(); drawRecent(); drawNew(); } catch (refusal) { said(refusal.message); }
});
