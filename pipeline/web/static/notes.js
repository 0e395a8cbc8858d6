"use strict";
// What no sheet says: one form for each kind of note, made from what the server says that it asks.
const asked = new URLSearchParams(location.search); // another page leads here with a kind, and with what is known of its fields
const MORE = "more"; // shows the kinds that this tournament's rules know nothing of, too
let showsAll = false, told = null, chosen = asked.get("what") ?? "penalty";

async function tell() {
  told = await ask("/api/notes");
  sees(told);
  keepFocus(() => { drawForm(); drawList(); });
}

const options = (values) => [el("option", { value: "" }, ""), ...values.map((value) => el("option", { value }, value))];

// The input of a field: what can be listed is chosen or ticked, everything else is typed.
function inputOf(field, value) {
  if (field.asked === "players") {
    const names = tickNames(field.label, told.players, value.split("\n"));
    return [field, names.node, () => names.read().join("\n")];
  }
  const input = typedInputOf(field);
  if (value) input.value = value;
  return [field, input, () => input.value];
}

function typedInputOf(field) {
  const shared = { id: `field-${field.name}`, name: field.name, required: field.needed ? "" : null, "aria-describedby": field.help ? `help-${field.name}` : null };
  switch (field.asked) {
    case "player": return el("select", shared, options(told.players));
    case "newcomer": return el("select", shared, options(["nobody", ...told.players]));
    case "board": return el("select", shared, options(told.boards));
    case "power": return el("select", shared, options(told.powers));
    case "round": return el("input", { ...shared, type: "number", min: 1, max: told.rounds });
    case "count": return el("input", { ...shared, type: "number", min: 0 });
    case "lines": return el("textarea", { ...shared, rows: 4 });
    case "word": return field.words.length ? el("select", shared, options(field.words)) : el("input", { ...shared, list: "suggested" });
    default: return el("input", { ...shared, autocomplete: "off" });
  }
}

// One thing of several people, in one form: what is filled in is entered, one note for each.
function drawFormOfEach(kind, people) {
  const about = kind.fields.find((field) => field.asked !== "player"), who = kind.fields.find((field) => field.asked === "player");
  const inputs = people.map((name) => [name, el("input", { "aria-label": `${about.label} of ${name}`, type: about.asked === "count" ? "number" : "text", min: 0, autocomplete: "off" })]);
  const form = el("form", {}, el("table", {}, inputs.map(([name, input]) => el("tr", {}, el("td", {}, name), el("td", {}, input, ` ${about.label}`)))), el("p", {}, el("button", { class: "main", type: "submit" }, "Enter them")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    let count = 0;
    for (const [name, input] of inputs.filter(([, input]) => input.value.trim())) {
      try {
        await working(event.submitter, () => ask("/api/notes/enter", { what: kind.word, values: { [who.name]: name, [about.name]: input.value }, why: "" }));
        told = await ask("/api/notes");
        sees(told);
        input.value = "";
        count += 1;
      } catch (refusal) { drawList(); return refuseAt(input, refusal); }
    }
    drawList();
    said(`✓ ${count} entered`, true);
  });
  fill($("entry"), el("h2", {}, kind.title), form);
}

function drawForm() {
  const kind = told.kinds.find((each) => each.word === chosen) ?? told.kinds[0];
  const others = told.kinds.filter((each) => !each.here && each !== kind);
  const offered = told.kinds.filter((each) => each.here || each === kind || showsAll);
  const what = el("select", { id: "what" }, offered.map((each) => el("option", { value: each.word, selected: each === kind ? "" : null }, each.title)), others.length && !showsAll ? el("option", { value: MORE }, "What other tournaments know…") : null);
  what.addEventListener("change", () => { if (what.value === MORE) showsAll = true; else chosen = what.value; drawForm(); $("what").focus(); });
  const each = (kind.word === asked.get("what") && asked.getAll("each")) || [];
  if (each.length) return drawFormOfEach(kind, each);
  const inputs = kind.fields.map((field) => inputOf(field, (kind.word === asked.get("what") && asked.getAll(field.name).join("\n")) || ""));
  const follows = told.follows[kind.word], may = follows?.may ?? true; // what cannot be entered now has no button
  const why = el("input", { id: "field-why", name: "why", required: kind.needs_why ? "" : null, autocomplete: "off" });
  const row = (id, words, input, help) => el("p", { class: "field" }, el("label", { for: id }, words[0].toUpperCase() + words.slice(1)), input, help ? el("small", { id: `help-${id.replace("field-", "")}` }, help) : null);
  const form = el("form", {}, row("what", "What", what), ...inputs.map(([field, input]) => (field.asked === "players" ? el("div", { class: "field" }, input, el("small", {}, "Tick them in their order, the first drawn first")) : row(input.id, `${field.label}${field.needed ? "" : " (if any)"}`, input, field.help))),
    may ? row("field-why", kind.needs_why ? "why" : "why (if any)", why) : null, el("p", {}, may ? el("button", { class: "main", type: "submit" }, "Enter it") : null, " ", kind.rules ? el("small", {}, `§ ${kind.rules}`) : null),
    el("datalist", { id: "suggested" }, (told.suggested[kind.word] ?? []).map((value) => el("option", { value }))));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const values = Object.fromEntries(inputs.map(([field, , read]) => [field.name, read()]));
    try {
      const entered = await working(event.submitter, () => ask("/api/notes/enter", { what: kind.word, values, why: why.value }));
      await tell();
      said(["✓ " + entered.said, ...entered.paper].join("; "), true);
      $("what").focus();
    } catch (refusal) {
      const at = inputs.find(([field]) => field.name === refusal.answer.where?.split(" ").at(-1))?.[1] ?? form.querySelector("button.main");
      refuseAt(at, refusal);
      (at.querySelector("input") ?? at).focus();
    }
  });
  fill($("entry"), el("h2", {}, kind.title), follows ? [el("ul", {}, follows.lines.map((line) => el("li", {}, asSentence(line)))), follows.standings.length ? el("table", {}, follows.standings.map((row) => el("tr", {}, row.map((words) => el("td", {}, words))))) : null] : null, form);
}

// Taking back is asked once, with what it is about.
function drawList() {
  const rows = told.notes.map((note) => {
    const cell = el("td", {}), why = el("input", { "aria-label": `why number ${note.number} is taken back`, placeholder: "Why" });
    const back = async () => { try { await working(pressed, () => ask("/api/notes/undo", { number: note.number, why: why.value })); said(""); await tell(); } catch (refusal) { refuseAt(cell, refusal); } };
    const open = () => { fill(cell, why, " ", el("button", { class: "main", onclick: back }, "Take it back"), " ", el("button", { onclick: closed }, "Leave it")); why.focus(); };
    const closed = () => fill(cell, el("button", { onclick: open, "aria-label": `take back… number ${note.number}` }, "Take back…"));
    if (note.in_journal) fill(cell, el("a", { href: "/journal" }, "Taken back in the journal")); else closed();
    return el("tr", {}, el("td", { class: "number" }, note.number), el("td", {}, note.words, note.why ? el("small", {}, ` ${note.why}`) : null), el("td", {}, el("small", {}, `${note.by} · `, el("span", { class: "number" }, localTime(note.at)))), cell);
  });
  fill($("list"), el("h2", {}, "What was entered and stands"), rows.length ? el("table", {}, el("tbody", {}, rows)) : el("p", {}, "Nothing yet"));
}

addEventListener("DOMContentLoaded", () => tell().catch((refusal) => said(refusal.message)));
