"use strict";

async function tell() {
  const answer = await ask("/api/forms");
  sees(answer);
  keepFocus(() => $("forms").replaceChildren(...(answer.forms.length ? answer.forms.map(drawForm) : [el("p", {}, "No form has come in yet. Scan filled-in forms like sheets.")])));
  if (!$("print").childElementCount) drawPrint(answer);
}

function drawPrint({ kinds, boards, players, numbers }) {
  const kind = el("select", { "aria-label": "form" }, kinds.map((each) => el("option", { value: each.kind }, asSentence(each.words))));
  const board = el("select", { "aria-label": "board" }, el("option", { value: "" }, "All boards of the round"), boards.map((each) => el("option", { value: each }, `Board ${each}`)));
  const copies = el("input", { type: "number", min: 1, max: 50, value: 1, "aria-label": "sets" }), named = el("input", { type: "checkbox" });
  const who = tickNames("For these players; none ticked: for everybody:", players, []), withPowers = el("label", {}, named, " With the powers on them");
  const fit = () => { who.node.hidden = kind.value !== "sample"; withPowers.hidden = kind.value !== "vote"; board.hidden = ["team", "sample"].includes(kind.value); };
  kind.addEventListener("change", fit);
  const print = async (made) => {
    made.disabled = true;
    sayAt(made, "");
    try {
      const body = { kind: kind.value, board: board.hidden ? "" : board.value, copies: Number(copies.value), named: named.checked, players: who.read() };
      const response = await fetch("/api/forms/print", { method: "POST", headers: { "Content-Type": "application/json", "X-Token": meta("token") }, body: JSON.stringify({ ...body, shown }) });
      if (!response.ok) {
        const answer = await response.json().catch(() => ({}));
        showChanged(answer.changed, shown);
        throw new Refusal(response.status, answer);
      }
      await tell();
      const url = URL.createObjectURL(await response.blob());
      fill($("printed"), "✓ ", el("a", { href: url, target: "_blank", download: `${kind.value}.pdf` }, "The PDF is here"), ", ready to print; its numbers are written down");
      window.open(url, "_blank");
    } catch (refusal) { refuseAt(made, refusal); } finally { made.disabled = false; }
  };
  fill($("print"), el("h2", {}, "Print a form"), el("div", { class: "row" }, kind, board, field("Sets", copies), withPowers), who.node, el("div", { class: "row" }, button("Print it", print, { class: "main" })), el("p", { id: "printed", "aria-live": "polite" }),
    el("details", {}, el("summary", {}, "The players’ numbers, as the ballots have them"), el("ol", { class: "numbers" }, numbers.map(([number, name]) => el("li", { value: /^\d+$/.test(number) ? number : null }, name)))));
  fit();
}

async function decide(path, body) {
  const place = document.querySelector(`[data-form="${body.form}"]`);
  try {
    const { left } = await ask(path, body);
    await tell();
    said(left?.length ? `✓ written down. It is still doubtful: ${left.join("; ")}` : "✓ written down", !left?.length);
  } catch (refusal) { refuseAt(place.querySelector("p"), refusal); }
}

function drawForm(form) {
  const why = el("input", { placeholder: "Why" }), stalemate = el("input", { type: "checkbox" });
  return el("section", { class: "form", "data-form": form.form },
    el("h2", {}, asSentence(`${form.doubts.length ? "? " : ""}${form.kind} · ${form.about}`)),
    el("p", { class: "small" }, `${form.form} · ${form.state} · `, el("a", { href: form.picture, target: "_blank" }, "The whole form")),
    form.doubts.some((doubt) => isUnwritten(form, doubt)) ? inkOf(form, "the form") : null,
    ...drawDoubts(form),
    form.doubts.some((doubt) => doubt.may_stand) ? el("p", {}, "Is the sheet misread? Say above what it says. Is the sheet wrong? “Accept it” lets it stand. Is the position wrong? ", el("a", { href: "/correct" }, "Correct the phase"), ".") : null,
    form.asks_stalemate ? el("p", {}, el("label", {}, stalemate, " The position is a stalemate")) : null,
    el("p", {}, why, " ",
      form.may_accept ? el("button", { class: "main", onclick: () => decide("/api/forms/accept", { form: form.form, why: why.value, stalemate: stalemate.checked }) }, "Accept it") : null, " ",
      el("button", { onclick: () => decide("/api/forms/aside", { form: form.form, why: why.value }) }, "Set it aside")));
}

// A field in which nothing is written has no picture of its own: the whole form is shown once, above all of them.
const isUnwritten = (form, doubt) => doubt.picture === form.picture;
const inkOf = ({ picture }, what) => el("p", {}, el("a", { href: picture, target: "_blank" }, el("img", { class: "ink", src: picture, alt: `the ink of ${what}` })));

// Where many fields are asked about, as on a board sheet: what was read in each, to be looked over and taken with one press.
const MANY = 3;
function drawDoubts(form) {
  const isRead = (doubt) => doubt.field && !doubt.may_stand && !doubt.words.length && doubt.offered.length, draw = (doubt) => drawDoubt(form, doubt);
  const read = form.doubts.filter(isRead), others = form.doubts.filter((doubt) => !isRead(doubt));
  if (read.length < MANY) return form.doubts.map(draw);
  return [drawAll(form, read), el("details", { class: "kept" }, el("summary", {}, "One by one, with all that each may be"), read.map(draw)), ...others.map(draw)];
}

function drawAll(form, read) {
  const inputs = read.map((doubt) => [doubt, el("input", { value: doubt.offered[0], size: 6, "aria-label": doubt.field, autocomplete: "off" })]);
  const take = () => decide("/api/forms/rule", { form: form.form, values: Object.fromEntries(inputs.map(([doubt, input]) => [doubt.field, input.value.trim()])) });
  return el("fieldset", { class: "all" }, el("legend", {}, `${count(read.length, "field")} that were not read surely: mend what is wrong, and take them together`),
    el("div", { class: "lists" }, inputs.map(([doubt, input]) => el("label", {}, el("small", {}, doubt.field), el("img", { class: "ink", src: doubt.picture, alt: `the ink of ${doubt.field}` }), input))), button(`Take all ${read.length} as they stand here`, take, { class: "main" }));
}

// What can be said to a doubt: the words that may stand there, what was perhaps read, or anything that is typed.
function drawDoubt(form, doubt) {
  const rule = (value) => decide("/api/forms/rule", { form: form.form, field: doubt.field, value });
  const typed = el("input", { placeholder: "What stands there", "aria-label": doubt.field });
  const enter = (event) => { event.preventDefault(); if (typed.value) rule(typed.value); };
  const offers = doubt.words.length ? doubt.words : doubt.offered;
  return el("fieldset", {}, el("legend", {}, asSentence(doubt.field || "the form")), el("p", {}, doubt.text), isUnwritten(form, doubt) ? null : inkOf(doubt, doubt.field || "the form"),
    doubt.field ? el("form", { onsubmit: enter }, ...offers.flatMap((word) => [el("button", { type: "button", onclick: () => rule(word) }, doubt.words.length ? asSentence(word) : word), " "]),
      doubt.words.length ? null : [typed, " ", el("button", { type: "submit" }, "It says this")]) : null);
}

addEventListener("DOMContentLoaded", () => tell().catch((refusal) => said(refusal.message)));
