"use strict";
const said = (text) => { $("said").hidden = !text; $("said").textContent = text; };

async function tell() {
  const { forms } = await ask("/api/forms");
  $("forms").replaceChildren(...(forms.length ? forms.map(drawForm) : [el("p", {}, "no form is in yet; print them with 'ordersheets forms' and scan them like sheets")]));
}

async function decide(path, body) {
  try { await ask(path, body); said(""); await tell(); } catch (refusal) { said(`✗ ${refusal.message}`); }
}

function drawForm(form) {
  const why = el("input", { placeholder: "why" });
  return el("section", { class: "form", "data-form": form.form },
    el("h2", {}, `${form.doubts.length ? "? " : ""}${form.kind} · ${form.about}`),
    el("p", { class: "small" }, `${form.form} · ${form.state} · `, el("a", { href: form.picture, target: "_blank" }, "the whole form")),
    ...form.doubts.map((doubt) => drawDoubt(form, doubt)),
    el("p", {}, why, " ",
      form.may_accept ? el("button", { class: "main", onclick: () => decide("/api/forms/accept", { form: form.form, why: why.value }) }, "accept it") : null, " ",
      el("button", { onclick: () => decide("/api/forms/aside", { form: form.form, why: why.value }) }, "set it aside")));
}

// What can be said to a doubt: the words that may stand there, what was perhaps read, or anything that is typed.
function drawDoubt(form, doubt) {
  const rule = (value) => decide("/api/forms/rule", { form: form.form, field: doubt.field, value });
  const typed = el("input", { placeholder: "what stands there", "aria-label": doubt.field });
  const enter = (event) => { event.preventDefault(); if (typed.value) rule(typed.value); };
  const offers = doubt.words.length ? doubt.words : doubt.offered;
  return el("fieldset", {}, el("legend", {}, doubt.field || "the form"), el("p", {}, doubt.text),
    el("p", {}, el("a", { href: doubt.picture, target: "_blank" }, el("img", { class: "ink", src: doubt.picture, alt: `the ink of ${doubt.field || "the form"}` }))),
    doubt.field ? el("form", { onsubmit: enter }, ...offers.flatMap((word) => [el("button", { type: "button", onclick: () => rule(word) }, word), " "]),
      doubt.words.length ? null : [typed, " ", el("button", { type: "submit" }, "it says this")]) : null);
}

addEventListener("DOMContentLoaded", () => tell().catch((refusal) => said(refusal.message)));
