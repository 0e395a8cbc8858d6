"use strict";
// A page that the server writes: each form with `data-act` is an act. Its fields go to the desk, with what the page shows; then the page is asked for anew.

// What a form says: what is fixed (`data-says`), and its fields; "values|points" stands in "values". Boxes with a value make a list, others say yes or no.
function bodyOf(form, made) {
  const body = JSON.parse(form.dataset.says || "{}");
  for (const input of form.elements) {
    if (!input.name || input.disabled || ["submit", "button"].includes(input.type)) continue;
    const path = input.name.split("|"), name = path.pop(), place = path.reduce((at, each) => (at[each] ??= {}), body), value = "number" in input.dataset ? Number(input.value) : input.value;
    if (input.type !== "checkbox") place[name] = value;
    else if (!input.hasAttribute("value")) place[name] = input.checked;
    else place[name] = [...(place[name] ?? []), ...(input.checked ? [value] : [])];
  }
  return made?.name ? { ...body, [made.name]: made.value } : body;
}

// A page was written: what it shows, and names to be ticked, whose order counts.
function begin() {
  sees({ shown: JSON.parse(document.querySelector("main").dataset.shown) });
  for (const place of document.querySelectorAll("[data-ticks]")) {
    const { ticks, label, names, ticked } = place.dataset, made = tickNames(label, JSON.parse(names), ticked.split("\n")), kept = el("input", { type: "hidden", name: ticks });
    const keep = () => { kept.value = made.read().join("\n"); };
    made.node.addEventListener("change", keep);
    keep();
    place.append(made.node, kept);
  }
  for (const place of document.querySelectorAll("[data-from]")) fetch(place.dataset.from).then((response) => response.text()).then((text) => { place.innerHTML = text; }); // what takes its time
}

// The page as it is now, at its address or another; who works by keyboard goes on where the focus was, or at `then`.
async function renew(address = location.href, then = document.activeElement.id) {
  const response = await fetch(address).catch(() => null);
  if (!response?.ok || response.redirected) return location.assign(response?.url ?? address);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  document.querySelector("meta[name=token]").content = page.querySelector("meta[name=token]").content; // where the event was opened anew
  keepFocus(() => document.querySelector("main").replaceWith(page.querySelector("main")));
  history.replaceState(null, "", address);
  begin();
  if ($(then)) $(then).focus();
}

function openFile(href) {
  window.open(href, "_blank");
  $("said").append(": ", el("a", { href, target: "_blank", download: "forms.pdf" }, "The PDF is here"), ", ready to print");
}

// What may be meant in several ways is asked; each answer is the same act with what it adds.
async function send(form, made, body) {
  const { act, before = "", then, to = location.href } = { ...form.dataset, ...made?.dataset };
  try {
    const { said: told = "done", paper = [], left = [], file, numbers = [], question, choices } = await working(made, () => ask(act, body));
    if (question) return made.after(el("span", { class: "row" }, question, choices.map(([words, more]) => button(words, (pressed) => send(form, pressed, { ...body, ...more })))));
    await renew(to, then);
    said(["✓ " + told, ...paper].join("; "), !left.length);
    if (file) openFile(URL.createObjectURL(file));
    if (numbers.length > 1) $("said").append(" ", takeBackLink(numbers, "Take it back"));
  } catch (refusal) {
    const wrong = refusal.answer?.where ?? "", isWrong = ({ name, dataset }) => name && wrong.endsWith(dataset.where ?? name.split("|").at(-1)), at = [...form.elements].find(isWrong) ?? form.elements.why ?? made;
    refuseAt(at, refusal, before);
    at.focus();
  }
}

addEventListener("submit", (event) => {
  const form = event.target, made = event.submitter;
  if (!form.dataset.act) return;
  event.preventDefault();
  send(form, made, bodyOf(form, made));
});
addEventListener("change", (event) => { const form = around(event, "form.filter"); if (form && event.target.name) renew(`?${new URLSearchParams(new FormData(form))}`); });
// A secret ballot: only that it was cast stays on the screen. All of them are counted.
addEventListener("click", (event) => {
  const made = around(event, "[data-ballot]"), booth = made?.closest("details");
  if (!made) return;
  booth.querySelector("input").value = made.dataset.ballot;
  booth.classList.add("cast");
  booth.open = false;
  made.form.elements.by.disabled = [...made.form.querySelectorAll(".ballot input")].some(({ value }) => !value);
});
addEventListener("toggle", ({ target }) => { if (target.open) target.querySelector("[autofocus]")?.focus(); }, true);
addEventListener("DOMContentLoaded", begin);
