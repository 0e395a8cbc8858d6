"use strict";
// What the sections of the page Round share: the round that is shown.
let today = null, shownRound = new URLSearchParams(location.search).get("round");
const CALLED = [["here", "✓", "Here"], ["later", "◷", "Comes later"], ["away", "✗", "Away"]];

// Does something and shows what became of it; what is refused is said beside the button, and nothing else changes.
// ``words``: what is said then, or what makes it of the answer, with whether it is good news; ``refused``: what else is done with a refusal.
async function tryTo(button, path, body, words = "", refused = () => {}) {
  sayAt(button, "");
  try {
    const answer = await working(button, () => ask(path, { round: today?.round, ...body }));
    said(...(typeof words === "function" ? words(answer) : [words, true])); // it moves the page: before the sections are drawn
    await tell();
    return answer;
  } catch (refusal) {
    refuseAt(button, refusal);
    refused(refusal);
    return null;
  }
}

// What became of a press stands until the next one: beside what is done later it would be of before.
for (const kind of ["click", "change", "drop"]) addEventListener(kind, (event) => { if ($("said").className === "good" && event.target.closest("#work button, #work input, #steps button, #drop")) said(""); }, true);

// ---- roll call
let wanted = "";
function drawRoll() {
  const { roll } = today, counts = roll.counts;
  const told = roll.begun ? `${counts.here} here · ${counts.later} later · ${counts.away} away · ${counts["not yet"]} not called yet` : "Nobody was called: a draw seats everybody on the list. Tick who is here, and it seats those.";
  const others = counts["not yet"] ? el("div", { class: "row" }, `All ${counts["not yet"]} who were not called yet:`, ...CALLED.map(([word, sign, words]) => button(`${sign} ${words}`, (made) => tryTo(made, "/api/day/roll", { others: word })))) : null;
  const sayHere = roll.players.filter((each) => each.says_here).map((each) => each.name);
  const phones = sayHere.length ? el("div", { class: "offer", id: "say-here" }, el("p", {}, `${sayHere.length} ${sayHere.length === 1 ? "says" : "say"} by telephone: here`), el("div", { class: "row" }, button(`Take ${sayHere.length === 1 ? "it" : `all ${sayHere.length}`}`, (made) => tryTo(made, "/api/day/roll", { here: sayHere }), { class: "main" })),
    el("ul", {}, sayHere.map((name) => el("li", {}, `${name} `, button("✓ Here", (made) => tryTo(made, "/api/day/roll", { here: [name] })), " ", button("Refuse", (made) => tryTo(made, "/api/day/refuse", { names: [name] }))))),
    ...roll.devices.map(({ count: players, names }) => el("p", { class: "row" }, `⚠ one telephone checked in ${count(players, "player")}; of them wait: ${names.join(", ")} `, button(`Refuse ${names.length === 1 ? "it" : `all ${names.length}`}`, (made) => tryTo(made, "/api/day/refuse", { names }))))) : null;
  const going = roll.players.filter((each) => each.says_going);
  const goings = going.length ? el("div", { class: "offer", id: "say-going" }, el("p", {}, `${going.length} ${going.length === 1 ? "says" : "say"} by telephone: I go home`),
    el("ul", {}, going.map((each) => el("li", {}, `${each.name} `, leaveButton(each), " ", button("Refuse", (made) => tryTo(made, "/api/day/refuse", { going: [each.name] })), each.leaves ? el("small", {}, ` ⚠ ${each.leaves}`) : null)))) : null;
  const find = el("input", { type: "search", placeholder: "Find a name", "aria-label": "find a name", value: wanted, autocomplete: "off" });
  const list = el("ul", { class: "people" });
  const show = () => fill(list, ...roll.players.filter((each) => folded(each.name).includes(folded(wanted))).map(person));
  find.addEventListener("input", () => { wanted = find.value; show(); });
  show();
  const name = el("input", { placeholder: "Whole name", "aria-label": "name of who came", autocomplete: "off" }), club = el("input", { placeholder: "Club, if any", "aria-label": "club", autocomplete: "off" });
  const country = el("input", { placeholder: "Country, if any", "aria-label": "country", autocomplete: "off" }), doubted = el("span", {});
  const add = async (made, sure = false) => {
    const added = await tryTo(made, "/api/day/player", { what: "add", name: name.value, club: club.value, country: country.value, sure }, ({ told }) => [told.join(" "), false], (refusal) => fill(doubted, refusal.answer?.anyway ? button("Add it as it stands", (pressed) => add(pressed, true)) : null));
    if (added && roll.begun) await tryTo(made, "/api/day/roll", { here: [added.name] }, [`✓ ${added.name} is on the list, and here`, ...added.told].join("; "));
  };
  const adding = button("Add", (made) => add(made));
  for (const input of [name, club, country]) onEnter(input, adding);
  fill(inside("roll"), el("p", {}, told), phones, goings, others, el("div", { class: "row" }, find), list, el("div", { class: "row" }, "Somebody came who is not on the list:", name, club, country, adding, doubted));
}

function person(each) {
  const panel = el("div", { class: "panel" });
  const seat = each.sits.map(([board, power]) => `${board} ${title(power)}`).join(", ");
  const gone = each.called === "gone";
  const buttons = gone ? [el("small", {}, each.left ? "Has gone home" : "Is excluded")] : CALLED.map(([word, sign, words]) =>
    button(sign, (made) => tryTo(made, "/api/day/roll", { [word]: [each.name] }), { "aria-pressed": String(each.called === word), "aria-label": `${each.name}: ${words.toLowerCase()}`, title: words }));
  return el("li", { "data-name": each.name }, el("span", { class: "name" }, each.name, el("small", {}, [each.told, each.director ? "director" : "", seat].filter(Boolean).join(" · "))), ...buttons,
    button("…", () => (panel.childElementCount ? panel.replaceChildren() : openPerson(panel, each)), { "aria-label": `${each.name}: more`, title: "Gone home, back, another name or club, somebody takes the seat" }), panel);
}

function leaveButton(each) {
  const gone = ({ told }) => [told.join(" ") || `✓ ${each.name} has gone home, and is not drawn any more`, !told.length];
  return button("Has gone home", (made) => tryTo(made, "/api/day/player", { what: "left", name: each.name }, gone));
}

function openPerson(panel, each) {
  const parts = [each.left ? button("Is back", (made) => tryTo(made, "/api/day/player", { what: "back", name: each.name })) : leaveButton(each)];
  const name = el("input", { value: each.name, "aria-label": `the right name of ${each.name}`, autocomplete: "off" });
  parts.push(el("div", { class: "row" }, name, button("Is the right name", (made) => tryTo(made, "/api/day/player", { what: "rename", name: each.name, new: name.value }, (answer) => [[`✓ ${each.name} is called ${answer.name} everywhere`, ...answer.told].join("; "), true]))));
  for (const what of ["club", "country"]) {
    const input = el("input", { value: each[what], "aria-label": `the right ${what} of ${each.name}`, autocomplete: "off" });
    parts.push(el("div", { class: "row" }, input, button(`Is the right ${what}`, (made) => tryTo(made, "/api/day/player", { what, name: each.name, new: input.value.trim() || "none" }, `✓ ${each.name}: ${what} ${input.value.trim() || "none"}`))));
  }
  for (const [board, power, phase] of each.sits) parts.push(substitute(each, board, power, phase));
  fill(panel, el("div", { class: "row" }, ...parts));
}

// Somebody takes a seat, before play or during the game: the same note as under Notes; the rules say who counts for what.
function substitute(each, board, power, phase) {
  const others = today.roll.players.filter((one) => one.name !== each.name && one.called !== "gone").map((one) => one.name);
  const who = el("select", { "aria-label": `who plays ${title(power)} on board ${board} from now on` }, ["nobody", ...others].map((name) => el("option", {}, name)));
  const ruled = el("input", { type: "checkbox" });
  const why = el("input", { placeholder: "Why", "aria-label": "why" }), from = el("input", { value: phase.replace(/M$/, ""), size: 8, "aria-label": "from which season" });
  const take = async (made) => {
    try {
      const values = { board, power, player: who.value, phase: from.value, ruled: ruled.checked ? "yes" : "" };
      const entered = await working(made, () => ask("/api/notes/enter", { what: "substitute", values, why: why.value }));
      await tell();
      said([`✓ ${who.value} plays ${title(power)} on board ${board} from ${from.value} on`, ...entered.paper].join("; "), true);
    } catch (refusal) { refuseAt(made, refusal); }
  };
  return el("div", { class: "row" }, `Board ${board}, ${title(power)}: the seat is taken by`, who, field("From", from), why, el("label", {}, ruled, " Allowed by the director"), button("Take the seat", take));
}

// ---- seats
function drawSeats() {
  const { seats, round } = today;
  if (!seats.boards.length) return fill(inside("seats"), el("p", { class: "small" }, "They are here after the draw. ", el("a", { href: "/notes?what=board" }, "Set a board by hand")));
  const table = (rows) => el("table", {}, rows.map(([left, right]) => el("tr", {}, el("td", {}, left), el("td", {}, el("b", {}, right)))));
  fill(inside("seats"), el("div", { class: "row" }, today.told ? null : button("Tell everybody", (made) => tryTo(made, "/api/tables/tell"), { class: "main" }), el("a", { class: `button${today.told ? " main" : ""}`, href: `/print/seats/${round}.pdf`, target: "_blank" }, "Print them"), today.told ? el("span", {}, "✓ Told: they are on the screen and on ", el("a", { href: "/live", target: "_blank" }, "telephones"), today.address || today.settings.live_address ? "" : [", once ", el("a", { href: "/room" }, "the network is switched on")]) : el("small", {}, "“Tell everybody” puts who sits where on the screen and on the telephones; nothing is mailed.")),
    el("details", { class: "kept" }, el("summary", {}, "Change seats by hand…"), today.told ? null : el("p", { class: "small" }, "Nobody sees them on the screen or a telephone yet; they become public with the round’s first result at the latest."), el("p", { class: "small" }, [["swap", "Two change places"], ["substitute", "Somebody takes a seat"], ["board", "A board for latecomers, a fixed table"]].flatMap(([what, words]) => [el("a", { href: `/notes?what=${what}` }, words), " · "]).slice(0, -1))),
    el("div", { class: "lists" }, seats.boards.map((board) => el("div", {}, el("h3", {}, `Board ${board.board}${board.pool ? `, ${board.pool}` : ""}`), table(board.seats.map((seat) => [title(seat.power), seat.player || "nobody"])))), seats.out.length ? el("div", {}, el("h3", {}, "Sit this round out"), table(seats.out.map((name) => [name, ""]))) : null, el("details", { class: "kept" }, el("summary", {}, "By player"), table(seats.players.map((seat) => [seat.player, `${seat.board} ${title(seat.power)}`])))));
}

// ---- print
const paper = (what, words) => el("a", { class: "button", href: `/print/${what}.pdf`, target: "_blank" }, words);
const badges = () => paper("badges", "Badges for everybody");

async function printNow(made, body) {
  const answer = await tryTo(made, "/api/day/print", body);
  if (!answer) return;
  const tab = window.open(answer.url, "_blank");
  said([`✓ ${count(answer.sheets, "sheet")}`, answer.slips ? `${answer.slips} on half a page: cut them apart` : "", tab ? `${answer.sheets === 1 ? "it is" : "they are"} open in another tab` : "this browser opened no tab", ...(answer.notes ?? [])].filter(Boolean).join("; "), true);
  $("said").append(" · ", el("a", { href: answer.url, target: "_blank" }, "Open the sheets"));
}

function drawPrint() {
  const { boards, prints, round } = today;
  if (!boards.length) return fill(inside("print"), el("p", { class: "small" }, "The order sheets are printed after the draw. Other papers: ", el("a", { href: "/forms" }, "Forms"), " · ", badges()));
  const design = el("select", { "aria-label": "design" }, [["", "Design as the phase wants it"], ["targets", "Boxes for every order"], ["line", "Free lines"]].map(([value, words]) => el("option", { value }, words)));
  const board = el("select", { "aria-label": "board" }, el("option", { value: "" }, "All boards"), boards.map((each) => el("option", { value: each.board }, `Board ${each.board}`)));
  const spare = el("input", { type: "number", min: 0, max: 20, value: 0, "aria-label": "spare sheets for each power" }), pads = el("input", { type: "number", min: 0, max: 20, value: 0, "aria-label": "seasons on pads" });
  const beginners = el("input", { type: "checkbox" }), slips = el("input", { type: "checkbox", checked: "" });
  const chosen = () => ({ board: board.value, design: design.value, spare: spare.value, pads: pads.value, beginners: beginners.checked, slips: slips.checked });
  const last = boards.at(-1);
  fill(inside("print"), el("div", { class: "row" }, boards.some((each) => each.played) ? el("a", { class: "button", href: `/print/results/${round}.pdf`, target: "_blank" }, "Print the newest results of all boards") : null, el("a", { href: "/forms" }, "Votes, results and other forms"), el("small", {}, `Board ${last.board} is on paper “${last.on_paper}”`)),
    el("details", {}, el("summary", {}, "Another design, one board, spare sheets, pads"), el("div", { class: "row" }, board, design, field("Spare for each power", spare), field("Pads for seasons", pads), el("label", {}, beginners, " With examples for beginners"), el("label", {}, slips, " Retreats and winters on half a page, two to be cut apart, where they fit"), button("Print these", (made) => printNow(made, chosen())))),
    el("details", { class: "kept" }, el("summary", {}, "Place cards, badges, a text to hang up"), el("div", { class: "row" }, paper(`cards/${round}`, "Place cards"), badges(), today.settings.notice ? paper("notice", "The text on the screen, as large as a page") : el("a", { href: "#settings" }, "A text to hang up is written under Settings"))),
    prints.length ? el("ul", {}, prints.map((each) => el("li", {}, el("a", { href: each.url, target: "_blank" }, count(each.sheets, each.pads ? "pad" : "sheet")), ` for ${each.boards.length > 1 ? "boards" : "board"} ${each.boards.join(", ")}${each.phases.length ? `, ${each.phases.join(", ")}` : ""} · ${localTime(each.at)}`))) : null);
}
