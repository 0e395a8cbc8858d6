"use strict";
// The draw: what the rules offer by name, what they leave open, lots drawn openly. What was said stays until it is seated.
let told = {};
// What was said stays through a reload: a lot that waits for its word belongs to it.
const toldPlace = () => `draw ${document.title} ${today.round}`;
const remember = (said) => { told = said; sessionStorage.setItem(toldPlace(), JSON.stringify(said)); };
const recall = () => { try { told = JSON.parse(sessionStorage.getItem(toldPlace()) ?? "{}"); } catch { told = {}; } };
const NAMED = { volunteers: ["aside", "stand down"], double: ["twice", "play on two boards"], director: ["plays", "directors who play"], "leave-out": ["sent", "are left out"], lot: ["sent", "are left out"] };

async function drawRound(made, more = {}) {
  remember({ ...told, ...more, word: undefined });
  let answer;
  try {
    answer = await working(made, () => ask("/api/day/draw", { round: today.round, ...told, word: more.word }));
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return said(`✗ ${refusal.message}`);
  }
  await tell();
  if (answer.seated) { remember({}); said(`✓ round ${today.round} is drawn`, true); return $("asked").replaceChildren(); }
  said("");
  fill($("asked"), ...(answer.choice ? choices(answer.choice) : []), ...questions(answer.asks), ...broken(answer.broken ?? []));
  $("asked").scrollIntoView({ block: "nearest" });
}

function choices(choice) {
  const many = choice.seats >= choice.size ? `${choice.over} too many, or ` : "";
  const whose = choice.open ? "the rules leave it to you" : `the rules (§ ${choice.rule}) offer:`;
  const why = el("input", { placeholder: "why; wanted for what the rules do not offer", "aria-label": "why" });
  const reason = () => (why.value ? { why: why.value } : {});
  const take = (offer) => button("take this", (made) => drawRound(made, { take: [...(told.take ?? []), offer.way], ...reason() }), { class: "main" });
  const name = (offer) => {
    const [key, words] = NAMED[offer.way] ?? [];
    if (!key) return null;
    const who = el("input", { list: "players", placeholder: "names, with commas between them", "aria-label": `${words}: names` });
    return el("div", { class: "row" }, `or say who (${words}):`, who, button("these", (made) => drawRound(made, { [key]: [...(told[key] ?? []), ...namesIn(who.value)], ...reason() })));
  };
  const offers = choice.offers.map((offer) => el("div", { class: "offer", "data-way": offer.way }, el("p", {}, offer.words), el("div", { class: "row" }, offer.missing.length || !(offer.enough || offer.names.length) ? null : take(offer)), name(offer)));
  const nothing = choice.cannot.map((each) => el("p", { class: "small" }, `of no help here: ${each.way}, ${each.why}`));
  return [el("h3", {}, `${choice.people} players, ${choice.size} to a board: ${many}${choice.short} too few; ${whose}`), ...offers, ...nothing, el("div", { class: "row" }, why), over()];
}

const over = () => button("begin again", () => { remember({}); $("asked").replaceChildren(); });

// A lot that is sealed: its hash is shown to the room, somebody calls a word, and both together make the order.
function lot(each) {
  const word = el("input", { placeholder: "the word that was called", "aria-label": "the word that was called", autocomplete: "off" });
  return el("div", { class: "offer" }, el("h3", {}, `A lot among ${each.names.join(", ")}`), el("p", {}, "Show this to the room. Then let somebody call a word; the word and the sealed number together make the order, and anybody can work it out again:"), el("p", { class: "hash" }, each.hash),
    el("div", { class: "row" }, word, button("draw the lot", (made) => drawRound(made, { word: word.value }), { class: "main" })));
}

function questions(asks) {
  if (!asks.length || today.lots.length) return [];
  const inputs = [];
  const rows = asks.map((each) => {
    if (!each.aim && !each.limit) return el("p", {}, each.text);
    const input = each.limit ? el("input", { type: "number", min: 1, placeholder: "any", "aria-label": each.text }) : el("select", { "aria-label": each.text }, [["no", "no"], ["should", "if it can be"], ["must", "always"]].map(([value, words]) => el("option", { value }, words)));
    inputs.push([each, input]);
    return el("div", { class: "row" }, el("span", {}, each.text), input);
  });
  if (!inputs.length) return [...rows, over()];
  const like = el("select", { "aria-label": "as another tournament does it" }, el("option", { value: "" }, "answer above"), asks[0].like.map((id) => el("option", { value: id }, `as ${id} has it`)));
  const answer = () => {
    if (like.value) return { like: like.value };
    const limit = inputs.find(([each]) => each.limit);
    return { wish: [...(told.wish ?? []), ...inputs.filter(([each]) => each.aim).map(([each, input]) => `${each.aim}=${input.value}`)], ...(limit ? { meetings_most: limit[1].value || "none" } : {}) };
  };
  return [el("h3", {}, "The rules are silent about this; what do you say?"), ...rows, el("div", { class: "row" }, like, button("draw so", (made) => drawRound(made, answer()), { class: "main" }), over())];
}

function broken(lines) {
  if (!lines.length) return [];
  return [el("h3", {}, "No draw was found that keeps everything that must be kept"), ...lines.map((line) => el("p", { class: "bad" }, line)), el("div", { class: "row" }, button("try another", (made) => drawRound(made)), button("seat it all the same", (made) => drawRound(made, { even_so: true })))];
}

function drawDraw() {
  const { seats, round, notes, lots } = today;
  const isDrawn = seats.boards.length > 0;
  const lines = (words, key, help) => { const input = el("textarea", { rows: 2, "aria-label": words }, (told[key] ?? []).join("\n")); return [key, el("label", {}, words, input, help ? el("small", {}, help) : null), () => namesIn(input.value)]; };
  const single = (words, key) => { const input = el("input", { "aria-label": words, value: told[key] ?? "" }); return [key, el("div", { class: "row" }, field(words, input)), () => input.value.trim()]; };
  const lotBox = el("input", { type: "checkbox" });
  const fields = [lines("stand down of their own will", "aside"), lines("are left out", "sent"), lines("play on two boards", "twice"), lines("directors who play, once for each board", "plays"), lines("take an open seat of the final table", "finalists"),
    lines("final table: name and power, in the order of choosing", "chosen", "such as Ann=ITALY, a name a line"), single("boards of six, without Turkey", "six"), single("seed (the same seed gives the same draw)", "seed"), single("why", "why")];
  const more = () => ({ ...Object.fromEntries(fields.map(([key, , read]) => [key, read()])), final_lot: lotBox.checked });
  const again = isDrawn ? { again: true } : {};
  const ask = el("div", {});
  const sure = () => fill(ask, el("p", {}, "The seats change. Sheets that are printed for the old seats, and orders taken from them, then wait until you say what they are; collect them."), button("draw it again", (made) => drawRound(made, { ...more(), ...again }), { class: "main" }), " ", button("leave it", () => ask.replaceChildren()));
  fill($("drawing"), el("h2", {}, `Draw of round ${round}`), ...lots.map(lot),
    el("div", { class: "row" }, isDrawn ? button("draw again…", sure) : button(`draw round ${round}`, (made) => drawRound(made, more()), { class: "main" })), ask,
    el("details", {}, el("summary", {}, "who stands down or plays twice, the final table, a seed of your own"), el("div", { class: "lists" }, fields.map(([, node]) => node)), el("label", {}, lotBox, " a lot decides among those level for the final")),
    notes.length ? el("details", {}, el("summary", {}, "what was said of this draw"), el("ul", {}, notes.map((note) => el("li", {}, note)))) : null);
}
