"use strict";
// The draw: what the rules offer by name, what they leave open, lots drawn openly. What was understood stays until it is seated.
let told = {}, askedOf = "";
// What was understood stays through a reload: a lot that waits for its word belongs to it. What was refused is not kept.
const toldPlace = () => `draw ${document.title} ${today.round}`;
const remember = (said) => { told = said; sessionStorage.setItem(toldPlace(), JSON.stringify(said)); };
const recall = () => { try { told = JSON.parse(sessionStorage.getItem(toldPlace()) ?? "{}"); } catch { told = {}; } };
const NAMED = { volunteers: ["aside", "sit out"], double: ["twice", "play on two boards"], director: ["plays", "directors who play"], "leave-out": ["sent", "are left out"], lot: ["sent", "are left out"] };
const POWERS = ["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"];
const whoIsIn = () => JSON.stringify(today.roll.players.map((each) => [each.name, each.called]));
const drawable = () => today.roll.players.filter((each) => each.called === "here" || (!today.roll.begun && each.called === "not yet"));
const people = (key) => drawable().filter((each) => key !== "plays" || each.director).map((each) => each.name);

const isDecided = (name) => ["aside", "sent", "twice"].some((key) => (told[key] ?? []).includes(name));

// The button rests until the page shows what became of it: pressed once more before that, it would draw anew.
async function drawRound(made, more = {}) {
  const wish = { ...told, ...more, word: undefined };
  sayAt(made, "");
  try {
    await working(made, async () => showDrawn(await ask("/api/day/draw", { round: today.round, ...wish, word: more.word }), wish));
  } catch (refusal) {
    refuseAt(made, refusal);
  }
}

async function showDrawn(answer, wish) {
  remember(answer.seated ? {} : wish);
  askedOf = whoIsIn();
  await tell();
  if (answer.seated) { said(`✓ round ${today.round} is drawn`, true); return $("asked").replaceChildren(); }
  said("");
  fill($("asked"), ...inPlay(answer.in_play ?? []), ...(answer.choice ? choices(answer.choice) : []), ...questions(answer.asks), ...broken(answer.broken ?? []));
  $("asked").scrollIntoView({ block: "nearest" });
}

// Somebody came or went after the rules had offered something: the offers are of before.
function checkOffers() {
  if (!$("asked").childElementCount || askedOf === whoIsIn()) return;
  fill($("asked"), el("p", {}, "The roll call has changed since the draw was begun; these offers are from before that."), el("div", { class: "row" }, button("Begin the draw again", (made) => { remember({}); drawRound(made); }, { class: "main" })));
}

const boardsOf = (people, size) => { const over = people % size, short = size - over; return over ? `${count(people, "player")}, ${size} to a board: either ${short} ${short === 1 ? "plays" : "play"} on two boards or ${over} ${over === 1 ? "sits" : "sit"} out` : `${count(people, "player")} fill ${count(people / size, "board")}`; };

function choices(choice) {
  const many = choice.seats >= choice.size ? `${choice.over} too many, or ` : "";
  const whose = choice.open ? "the rules leave it to you" : `the rules (§ ${choice.rule}) offer:`;
  const why = el("input", { placeholder: "Why, if the rules do not offer it", "aria-label": "why" });
  const reason = () => (why.value ? { why: why.value } : {});
  const take = (offer) => button("Take this", (made) => drawRound(made, { take: [...(told.take ?? []), offer.way], ...reason() }), { class: "main" });
  const name = (offer) => {
    const [key, words] = NAMED[offer.way] ?? [];
    if (!key) return [];
    const names = tickNames(`${words}:`, people(key).filter((each) => !isDecided(each)), []);
    return [names.node, el("div", { class: "row" }, button("Take who is ticked", (made) => { const these = names.read(); if (!these.length) return sayAt(made, "nobody is ticked"); drawRound(made, { [key]: [...(told[key] ?? []), ...these], ...reason() }); }))];
  };
  // One way to go is chosen first, and only then its names are seen.
  const isTaken = (offer) => !offer.missing.length && (offer.enough || offer.names.length > 0);
  const offerOf = (offer) => {
    const inside = name(offer), isOpen = choice.offers.length === 1 || told[NAMED[offer.way]?.[0]]?.length > 0;
    if (isTaken(offer)) return [el("p", {}, offer.words), el("div", { class: "row" }, take(offer)), inside.length ? el("details", {}, el("summary", {}, "Choose others…"), inside) : null];
    return inside.length ? [el("details", { name: "offers", open: isOpen ? "" : null }, el("summary", {}, offer.words), inside)] : [el("p", {}, offer.words)];
  };
  const offers = choice.offers.map((offer) => el("div", { class: "offer", "data-way": offer.way }, offerOf(offer)));
  const nothing = choice.cannot.length ? el("details", { class: "small" }, el("summary", {}, "What does not help here"), choice.cannot.map((each) => el("p", {}, `${asSentence(each.meaning)}: ${each.why}`))) : null;
  const decided = Object.entries({ aside: "sit out", sent: "are left out", twice: "play on two boards", plays: "directors who play" }).filter(([key]) => told[key]?.length).map(([key, words]) => `${words}: ${told[key].join(", ")}`);
  return [decided.length ? el("p", { class: "good" }, `✓ ${decided.join("; ")}`) : null, el("h3", {}, `${count(choice.people, "player")}, ${choice.size} to a board: ${many}${choice.short} too few; ${whose}`), ...offers, nothing, el("div", { class: "row" }, why), over()];
}

const over = () => button("Begin again", () => { remember({}); $("asked").replaceChildren(); drawDraw(); });

// A lot that is sealed: its hash is shown to the room, somebody calls a word, and both together make the order.
function lot(each) {
  const word = el("input", { placeholder: "The word that was called", "aria-label": "the word that was called", autocomplete: "off" });
  return el("div", { class: "offer" }, el("h3", {}, `A lot among ${each.names.join(", ")}`), el("p", {}, "Show this to the room. Then let somebody call a word; the word and the sealed number together make the order, and anybody can work it out again:"), el("p", { class: "hash" }, each.hash),
    el("div", { class: "row" }, word, button("Draw the lot", (made) => drawRound(made, { word: word.value }), { class: "main" })));
}

function questions(asks) {
  if (!asks.length || today.lots.length) return [];
  const inputs = [];
  const rows = asks.map((each) => {
    if (!each.aim && !each.limit) return el("p", {}, each.text);
    const input = each.limit ? el("input", { type: "number", min: 1, placeholder: "Any", "aria-label": each.text }) : el("select", { "aria-label": each.text }, [["no", "No"], ["should", "If it can be"], ["must", "Always"]].map(([value, words]) => el("option", { value }, words)));
    inputs.push([each, input]);
    return el("div", { class: "row" }, el("span", {}, each.text), input);
  });
  if (!inputs.length) return [...rows, over()];
  const like = el("select", { "aria-label": "as another tournament does it" }, el("option", { value: "" }, "Answer above"), asks[0].like.map((id) => el("option", { value: id }, `As ${id} has it`)));
  const answer = () => {
    if (like.value) return { like: like.value };
    const limit = inputs.find(([each]) => each.limit);
    return { wish: [...(told.wish ?? []), ...inputs.filter(([each]) => each.aim).map(([each, input]) => `${each.aim}=${input.value}`)], ...(limit ? { meetings_most: limit[1].value || "none" } : {}) };
  };
  return [el("h3", {}, "The rules are silent about this; what do you say?"), ...rows, el("div", { class: "row" }, like, button("Draw so", (made) => drawRound(made, answer()), { class: "main" }), over())];
}

function broken(lines) {
  if (!lines.length) return [];
  return [el("h3", {}, "No draw was found that keeps everything that must be kept"), ...lines.map((line) => el("p", { class: "bad" }, line)), el("div", { class: "row" }, button("Try another", (made) => drawRound(made)), button("Seat it all the same", (made) => drawRound(made, { even_so: true })))];
}

// Drawn with one press too many, perhaps: boards still run, and nobody was called.
function inPlay(boards) {
  if (!boards.length) return [];
  return [el("h3", {}, `${stillRun(boards)}, and nobody was called for round ${today.round}`), el("p", {}, leftOut(boards)), el("div", { class: "row" }, button("Draw it all the same", (made) => drawRound(made, { in_play: true }), { class: "main" }), over())];
}

const stillRun = (boards) => (boards.length === 1 ? `Board ${boards[0]} still runs` : `Boards ${boards.slice(0, -1).join(", ")} and ${boards.at(-1)} still run`);
const leftOut = (boards) => `The standings that the draw goes by leave ${boards.length === 1 ? "it" : "them"} out.`;

// The final table's powers, in the order in which they were chosen: a name and a power from lists.
function chosenPowers() {
  const names = drawable().map((each) => each.name), list = el("ol", { class: "chosen" });
  const rows = [];
  const add = (name = "", power = "") => {
    const who = el("select", { "aria-label": `final table, who chose as number ${rows.length + 1}` }, ["", ...names].map((each) => el("option", { selected: each === name ? "" : null }, each)));
    const what = el("select", { "aria-label": `final table, power chosen as number ${rows.length + 1}` }, ["", ...POWERS].map((each) => el("option", { value: each, selected: each === power ? "" : null }, each && title(each))));
    rows.push([who, what]);
    list.append(el("li", {}, who, " ", what));
  };
  for (const each of told.chosen ?? []) add(...each.split(/=(?=[^=]*$)/));
  add();
  const node = el("fieldset", { class: "names" }, el("legend", {}, "Final table: who chose which power, in the order of choosing"), list, button("One more", () => add()));
  return ["chosen", node, () => rows.filter(([who, what]) => who.value && what.value).map(([who, what]) => `${who.value}=${what.value}`)];
}

function drawDraw() {
  checkOffers();
  const { seats, round, notes, lots, in_play: running } = today;
  const isDrawn = seats.boards.length > 0;
  const named = (words, key) => { const names = tickNames(words, people(key), told[key] ?? []); return [key, names.node, names.read]; };
  const single = (words, key) => { const input = el("input", { "aria-label": words, value: told[key] ?? "", autocomplete: "off" }); return [key, el("label", { class: "stacked" }, words, input), () => input.value.trim()]; };
  const lotBox = el("input", { type: "checkbox", checked: told.final_lot ? "" : null });
  const fields = [named("Sit out voluntarily:", "aside"), named("Are left out:", "sent"), named("Play on two boards:", "twice"), named("Directors who play:", "plays"), named("Take an open seat of the final table:", "finalists"), named("Play, but not at the final table or in a pool:", "declines"), chosenPowers(),
    single("Boards of six, without Turkey", "six"), single("Seed (the same seed gives the same draw)", "seed"), single("Why", "why")];
  const more = () => ({ ...Object.fromEntries(fields.map(([key, , read]) => [key, read()])), final_lot: lotBox.checked });
  const again = isDrawn ? { again: true } : {};
  const confirm = el("div", {});
  const sure = () => fill(confirm, el("p", {}, "The seats change. Sheets that are printed for the old seats, and orders taken from them, then wait until you say what they are; collect them."), el("div", { class: "row" }, button("Draw it again", (made) => drawRound(made, { ...more(), ...again }), { class: "main" }), button("Leave it", () => confirm.replaceChildren())));
  const options = el("details", {}, el("summary", {}, "Who sits out or plays twice, the final table, a seed of your own"), el("div", { class: "draw-options" }, fields.map(([, node]) => node)), el("label", {}, lotBox, " A lot decides among those level for the final"));
  fill($("drawing"), ...lots.map(lot), isDrawn || !today.size ? null : el("p", {}, boardsOf(drawable().filter((each) => !each.director).length, today.size)),
    el("p", { class: "small" }, today.apart),
    !isDrawn && running.length ? el("p", {}, `${stillRun(running)}. ${leftOut(running)}`) : null,
    el("div", { class: "row" }, isDrawn ? button("Draw again…", sure) : button(`Draw round ${round}`, (made) => drawRound(made, more()), { class: "main" }), Object.keys(told).length ? over() : null), confirm, options,
    notes.length ? el("details", {}, el("summary", {}, "Notes on this draw"), el("ul", {}, notes.map((note) => el("li", {}, note)))) : null);
}
