"use strict";
// Autocomplete on legal orders: "vie boh" finds A VIE - BOH, and so does "vienna boh".
const known = new Map(); // turn -> {orders, units}

async function legal(turn) {
  if (!known.has(turn)) known.set(turn, await ask(`/api/legal?turn=${encodeURIComponent(turn)}`));
  return known.get(turn);
}

function matches(orders, typed, most) {
  const wanted = typed.toLowerCase().split(/[^a-z/]+/).filter(Boolean);
  const found = [];
  for (const [order, words] of orders) {
    const parts = order.toLowerCase().split(/[^a-z/]+/);
    const named = words.toLowerCase().split(/[^a-z]+/);
    let at = 0, inOrder = true;
    for (const word of wanted) {
      const place = parts.findIndex((part, number) => number >= at && part.startsWith(word));
      if (place < 0) inOrder = false; else at = place + 1;
    }
    if (inOrder) found.push([parts.length, order, words]);
    else if (wanted.every((word) => named.some((name) => name.startsWith(word)))) found.push([100 + parts.length, order, words]);
  }
  return found.sort((one, other) => one[0] - other[0]).slice(0, most).map(([, order, words]) => [order, words]);
}

// Puts a list under an input; `done(text, wasChosen)` is called by Enter.
function complete(input, orders, done) {
  const list = el("ol", { class: "complete", role: "listbox" });
  let offers = [], at = 0;
  const show = () => {
    offers = input.value.trim() ? matches(orders, input.value, 7) : [];
    at = 0;
    draw();
  };
  const draw = () => {
    list.replaceChildren(...offers.map(([order, words], number) =>
      el("li", { role: "option", "aria-selected": String(number === at), class: number === at ? "at" : "" },
        number === at ? "▸ " : "", el("b", {}, order), " ", el("small", {}, words))));
  };
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      at = (at + (event.key === "ArrowDown" ? 1 : -1) + offers.length) % Math.max(1, offers.length);
      draw();
      event.preventDefault();
    } else if (event.key === "Tab" && offers.length && !event.shiftKey && input.value !== offers[at][0]) {
      input.value = offers[at][0];
      show();
      event.preventDefault();
    } else if (event.key === "Enter" && !event.ctrlKey) {
      event.preventDefault();
      if (event.repeat) return;
      const exact = orders.find(([order]) => order === input.value.trim().toUpperCase());
      if (exact) done(exact[0], true);
      else if (offers.length) done(offers[at][0], true);
      else done(input.value.trim().toUpperCase(), false);
    }
  });
  return list;
}
