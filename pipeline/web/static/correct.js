"use strict";
// What was published is changed here: nothing is written down before all that would follow was shown, and the reason given.
let phaseShown = null, ahead = null;
let changes = []; // of this page, in the order in which they were made; they go to the desk together
const asked = new URLSearchParams(location.search);
const BUSY = 503, AGAIN_MS = 2000;
const VERDICTS = { corrected: "Your rules correct it", stands: "Your rules would not correct it", ask: "Your rules leave it to you" };
const same = (one, other) => one.power === other.power && one.type === other.type && one.line === other.line;
const found = () => document.querySelector("#found input:checked")?.value;
const body = (list) => ({ board: phaseShown.board, phase: phaseShown.phase, changes: list, deadline_passed: found() ? found() === "after" : null });


let asks = 0; // whoever chooses again before the answer came sees the answer to the last choice, and no older one
async function tell(board, phase) {
  const number = ++asks;
  $("work").inert = true; // what stands there is drawn anew: what is opened in it meanwhile would be lost
  try {
    await showPhase(board, phase, number);
  } finally {
    if (number === asks) $("work").inert = false;
  }
}

async function showPhase(board, phase, number) {
  const answer = await ask(`/api/correct?${new URLSearchParams({ board, phase })}`);
  if (number !== asks) return;
  const mine = answer.boards.filter((each) => !each.own && each.phases.length), one = mine.length === 1 && !board ? mine[0] : mine.find((each) => each.board === board);
  if (one && !phase) return tell(one.board, one.phases[0][0]); // what was published last is what is mostly corrected
  phaseShown = answer;
  changes = [];
  for (const each of document.querySelectorAll("#found input")) each.checked = false;
  sees(answer);
  drawChoice(board);
  $("work").hidden = !answer.phase;
  if (!answer.phase) $("do").hidden = true;
  $("about").textContent = answer.phase ? `${answer.words} of board ${answer.board} was published on ${localTime(answer.at)} ${answer.published}. Change what is wrong; nothing is written down before you press “Correct it”.` : answer.boards.some((each) => each.phases.length) ? "Choose the board and the phase in which the error is." : "Nothing is published yet.";
  if (answer.phase && answer.correction.length) $("about").append(" ", takeBackLink(answer.correction, "Take the last correction back"));
  if (!answer.phase) return;
  history.replaceState(null, "", `?${new URLSearchParams({ board: answer.board, phase: answer.phase })}`);
  await look(changes);
  if (number === asks) drawPowers(asked.get("power") ?? "");
}

function drawChoice(board) {
  const { boards } = phaseShown, one = boards.find((each) => each.board === board);
  fill($("board"), el("option", { value: "" }, "Choose"), boards.map((each) => el("option", { value: each.board, disabled: each.own || !each.phases.length, selected: each.board === board }, each.board, each.own ? " (you play there)" : "")));
  fill($("phase"), el("option", { value: "" }, "Choose"), (one?.phases ?? []).map(([value, words]) => el("option", { value, selected: value === phaseShown.phase }, words)));
}

// ---- the sheets

function drawPowers(open) {
  const wasOpen = new Set([...document.querySelectorAll("#powers > details[open]")].map((each) => each.dataset.power));
  fill($("powers"), phaseShown.powers.map((power) => {
    const isOpen = wasOpen.has(power.power) || power.power === open || power.asks || power.rows.some((row) => row.waits);
    return el("details", { open: isOpen, "data-power": power.power }, el("summary", {}, el("h2", {}, power.name), el("small", {}, [power.player || "nobody", `sheet: ${power.state}`].join(" · "))),
      power.notes.map((note) => el("p", { class: "small" }, note)), power.sheets.map((sheet) => el("p", {}, el("a", { href: sheet.url, target: "_blank" }, `See the sheet of ${power.name}`), " ", el("small", {}, sheet.id))),
      el("ol", { class: "rows" }, power.rows.map((row) => drawRow(power, row))), drawSheet(power));
  }));
}

const changeOf = (power, type, line) => changes.find((each) => same(each, { power, type, line }));
const rowThen = (power, line) => ahead?.rows?.[power]?.find((row) => row.line === line);

function drawRow(power, row) {
  const changed = changeOf(power.power, "row", row.line), then = rowThen(power.power, row.line);
  const published = power.published.find((each) => each.order === row.order), panel = el("div", { class: "panel" }), account = el("div", { class: "panel" });
  const isOther = row.order && !published;
  const words = changed && then ? [el("del", {}, row.order ?? "no order"), " → ", el("b", {}, then.order ?? "no order"), el("small", {}, then.words)] : [el("b", {}, row.order ?? "no order"), el("small", {}, published ? `${row.words}: ${published.outcome}` : isOther ? `${row.words}; this was not published` : row.why || row.words)];
  const why = published?.unit ? button("Why?", (made) => explain(made, account, published.unit)) : null;
  return el("li", { class: row.waits ? "waits" : "", "data-line": row.line }, el("span", { title: row.source }, `${row.sign} ${row.line || "–"}`),
    row.picture ? el("div", { class: "wide" }, drawInk(row)) : null, el("div", { class: "words" }, row.ink ? el("small", {}, `${row.source === "typed" ? "typed" : "read"}: “${row.ink}”`) : null, words),
    el("span", {}, changed ? button("As it was", () => drop(changed)) : button("Change…", () => openRow(panel, power, row), { "aria-label": `change line ${row.line} of ${power.name}` }), " ", why), account, panel);
}

// The ink of a row, as large as its column is wide.
function drawInk(row) {
  const image = el("img", { src: row.picture, alt: `line ${row.line}: ${row.ink || "nothing written"}`, loading: "lazy" }), figure = el("figure", { class: "inked" }, image);
  figure.fit = () => {
    const room = figure.parentElement?.clientWidth, cut = inkedPart(image, row.lines);
    if (room && cut.right) showStrips(figure, image, cut, Math.min(LARGEST, room / cut.right));
  };
  image.addEventListener("load", figure.fit);
  return figure;
}
const fitAll = () => document.querySelectorAll("#powers figure").forEach((figure) => figure.fit());

async function explain(made, panel, unit) {
  if (panel.childElementCount) return panel.replaceChildren();
  try {
    const { result, parts, ids } = await working(made, () => ask(`/api/correct/explain?${new URLSearchParams({ board: phaseShown.board, phase: phaseShown.phase, unit })}`));
    fill(panel, el("b", {}, result), el("dl", {}, parts.flatMap(([about, text]) => [el("dt", {}, asSentence(about)), el("dd", {}, text)])), ids.map((each) => el("small", {}, each)));
  } catch (refusal) { refuseAt(made, refusal); }
}

const OTHER = "Another order…", WRITTEN = "What is written there is…", NONE = "No order";
function openRow(panel, power, row) {
  if (panel.childElementCount) return panel.replaceChildren();
  const offered = power.orders.filter((each) => !row.unit || each.unit === row.unit);
  const select = el("select", { "aria-label": `the order that line ${row.line} of ${power.name} gives` }, el("option", { value: "" }, "Choose"), offered.map((each) => el("option", { value: each.order }, `${each.order}: ${each.words}`)), [NONE, OTHER, row.line ? WRITTEN : null].filter(Boolean).map((words) => el("option", { value: words }, words)));
  const text = el("input", { "aria-label": "the text", autocomplete: "off", hidden: "" }), sure = el("input", { type: "checkbox" });
  const meant = el("label", { hidden: "" }, sure, " It is meant so");
  select.addEventListener("change", () => { text.hidden = ![OTHER, WRITTEN].includes(select.value); if (!text.hidden) text.focus(); });
  const form = el("form", { class: "row" }, select, text, meant, el("button", { class: "main", type: "submit" }, "Take this"), button("Leave it", () => panel.replaceChildren()));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!select.value || (!text.hidden && !text.value.trim())) return sayAt(select, "choose what it gives, or type it");
    const change = { type: "row", power: power.power, line: row.line, anyway: sure.checked };
    if (select.value === WRITTEN) change.text = text.value.trim();
    else change.order = select.value === OTHER ? text.value.trim().toUpperCase() : select.value === NONE ? "nothing" : select.value;
    if (!(await take(event.submitter, change))) meant.hidden = false;
  });
  fill(panel, form);
  select.focus();
}

// What is said of a whole sheet, or typed instead of it.
function drawSheet(power) {
  const panel = el("div", {}), changed = ["sheet", "lines"].map((type) => changeOf(power.power, type)).find(Boolean);
  if (changed) return el("p", { class: "sheet" }, changed.type === "lines" ? `typed instead of the sheet: ${changed.lines.join("; ")} ` : `the sheet: ${changed.decision} `, button("As it was", () => drop(changed)));
  const open = () => {
    if (panel.childElementCount) return panel.replaceChildren();
    const chosen = power.sheets.length > 1 ? power.sheets.map((sheet) => [`chosen ${sheet.serial}`, `Sheet ${sheet.id} counts`]) : [];
    const select = el("select", { "aria-label": `the sheet of ${power.name}` }, [["", "Choose"], ...chosen, ...phaseShown.decisions, ["lines", "Type the whole sheet"]].map(([value, words]) => el("option", { value }, asSentence(words))));
    const lines = el("textarea", { rows: 6, hidden: "", "aria-label": `the lines of ${power.name}`, placeholder: "One order a line" }), sure = el("input", { type: "checkbox" }), meant = el("label", { hidden: "" }, sure, " It is meant so");
    select.addEventListener("change", () => { lines.hidden = select.value !== "lines"; });
    const form = el("form", { class: "row" }, select, lines, meant, el("button", { class: "main", type: "submit" }, "Take this"), button("Leave it", () => panel.replaceChildren()));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (!select.value) return sayAt(select, "choose what is to be said of the sheet");
      const [decision, serial] = select.value.split(/ (?=\d+$)/);
      const change = select.value === "lines" ? { type: "lines", power: power.power, lines: lines.value.split(/\r?\n/).filter((line) => line.trim()), anyway: sure.checked } : { type: "sheet", power: power.power, decision, serial: serial ? Number(serial) : null };
      if (!(await take(event.submitter, change))) meant.hidden = change.type !== "lines";
    });
    fill(panel, form);
  };
  if (power.asks) open(); // the sheet is to be settled first
  return el("div", { class: "sheet" }, button("The whole sheet…", open, { "aria-label": `the whole sheet of ${power.name}` }), panel);
}

// A change is taken if the desk can foresee what follows; else it is told at the form, and nothing changes.
async function take(made, change) {
  const list = [...changes.filter((each) => !same(each, change)), change];
  sayAt(made, "");
  try {
    await working(made, () => look(list));
    drawPowers("");
    return true;
  } catch (refusal) { refuseAt(made, refusal); return false; }
}

async function drop(change) {
  await look(changes.filter((each) => each !== change)).catch((refusal) => said(refusal.message));
  drawPowers("");
}

// ---- what would follow

async function look(list) {
  try {
    ahead = await ask("/api/correct/look", body(list));
  } catch (refusal) {
    if (list.length) throw refusal;
    ahead = { asks: [refusal.message], refused: true }; // nothing was changed yet: the phase as it is
  }
  changes = list;
  drawConsequences();
}

const list = (head, lines) => (lines?.length ? [el("h3", {}, head), el("ul", {}, lines.map((line) => el("li", {}, line)))] : []);

// What changes in a phase; a later one says so too where nothing does, and which sheets somebody should look at again.
function drawPhase({ phase, changes: lines, reread }, number) {
  if (!number) return list(phase, lines);
  if (!ahead.changes) return [];
  return [...list(`${phase}, played again`, lines.length ? lines : ["Nothing changes"]), reread.length ? el("p", {}, el("b", {}, "Read again from the new position, and clear: look whether it is meant so")) : null, reread.length ? el("ul", {}, reread.map((line) => el("li", {}, line))) : null].filter(Boolean);
}

function drawConsequences() {
  const mayDo = !ahead.asks.length && (ahead.changes || changes.length > 0);
  $("do").hidden = !mayDo;
  $("found").hidden = !ahead.deadline?.counts;
  const isUnsaid = Boolean(ahead.changes && ahead.deadline?.assumed), isUnseen = Boolean(ahead.changes && ahead.phases?.some((each) => each.reread.length));
  $("looked").hidden = !isUnseen;
  $("looked").querySelector("input").checked = false;
  $("looked").querySelector("input").required = isUnseen;
  $("do").querySelector("button").disabled = isUnsaid;
  $("do").querySelector("button").textContent = isUnsaid ? "Say first when the error was found" : ahead.changes ? "Correct it" : "Write it down; nothing published changes";
  if (ahead.asks.length) return fill($("consequences"), ...list(ahead.refused ? "It cannot be corrected" : "To be settled first, on the left", ahead.asks));
  if (!mayDo) return fill($("consequences"), el("p", {}, "Nothing: it was published as its sheets and rulings say."));
  const places = ahead.places.length ? [el("h3", {}, ahead.as_they_stand ? "Places if all games ended as they stand" : "Places"), el("table", {}, el("tr", {}, ["", "Now", "Then"].map((words) => el("th", {}, words))), ahead.places.map((each) => el("tr", {}, el("td", {}, each.player), el("td", {}, each.was), el("td", {}, el("b", {}, each.now)))))] : ahead.changes ? [el("p", {}, "No place in the standings changes.")] : [];
  const rule = ahead.deadline.assumed ? "Say below when the error was found" : VERDICTS[ahead.rule.verdict] ?? ahead.rule.verdict;
  fill($("consequences"), el("p", {}, el("b", {}, rule), `: ${ahead.deadline.assumed ? "your rules correct it " : ""}${ahead.rule.words} (${ahead.rule.rule})`),
    ...list("What then counts for its sheets", ahead.sheets), ...ahead.phases.flatMap(drawPhase),
    ahead.changes ? null : el("p", {}, "No order that was published, and no result, changes."),
    ...list("Not published any more: played anew", ahead.dropped), ...list("Waits for you then", ahead.waits),
    ahead.changes && ahead.opened ? el("p", {}, `The board is in ${ahead.opened} then.`) : null,
    ahead.goes_on ? el("p", {}, `The game is not over any more: it goes on with ${ahead.goes_on}; end it anew when it is over.`) : null,
    ahead.solo ? el("p", {}, `${ahead.solo}.`) : null,
    ...list("Without a vote on its end", ahead.without_vote), ...list("Rests on the end of this game", ahead.resting),
    ...list("On paper", ahead.collect), ...list("Late sheets that count otherwise", ahead.otherwise), ...places);
}

async function correct(event) {
  event.preventDefault();
  try {
    const answer = await working(event.submitter, () => ask("/api/correct/do", { ...body(changes), why: $("why").value }));
    const { board, phase } = phaseShown;
    $("why").value = "";
    await tell(board, phase);
    said(`✓ written down as number${answer.numbers.length === 1 ? "" : "s"} ${answer.numbers.join(", ")} of the journal. `, true);
    $("said").append(takeBackLink(answer.numbers, "Take it back"), " · ", el("a", { href: `/desk?round=${board.split(".")[0]}` }, "To the round"), ...correctedInWords(answer), movedInWords(answer, (made, powers) => printSheets(made, board, phase, powers)) ?? "");
    $("said").scrollIntoView({ block: "center" });
  } catch (refusal) { refuseAt($("why"), refusal); }
}

// The sheets of these powers for the phase that is open, and of no others.
async function printSheets(made, board, phase, powers) {
  try {
    const answer = await working(made, () => ask("/api/day/print", { round: Number(board.split(".")[0]), board, powers }));
    window.open(answer.url, "_blank");
    made.replaceWith(el("a", { href: answer.url, target: "_blank" }, `✓ Open the sheet${answer.sheets === 1 ? "" : "s"}`));
    sees(await ask(`/api/correct?board=${encodeURIComponent(board)}&phase=${phase}`));
  } catch (refusal) { refuseAt(made, refusal); }
}

addEventListener("DOMContentLoaded", () => {
  const show = (board, phase) => tell(board, phase).then(() => { if ($("said").dataset.gone) { delete $("said").dataset.gone; said(""); } }, (refusal) => {
    said(refusal.message);
    if (refusal.status && refusal.status !== BUSY) return;
    $("said").dataset.gone = "1"; // no answer: it is asked again, as the message says
    const number = asks;
    setTimeout(() => { if (number === asks) show(board, phase); }, AGAIN_MS);
  });
  addEventListener("resize", fitAll);
  $("which").addEventListener("submit", (event) => event.preventDefault());
  $("board").addEventListener("change", () => show($("board").value, ""));
  $("phase").addEventListener("change", () => show($("board").value, $("phase").value));
  $("found").addEventListener("change", () => look(changes).catch((refusal) => said(refusal.message)));
  $("do").addEventListener("submit", correct);
  show(asked.get("board") ?? "", asked.get("phase") ?? "");
});
