"use strict";
// Offers under an input: orders that the line may become. Arrows and Tab put one into the input; Enter takes what is typed.
const legal = (turn) => ask(`/api/legal?turn=${encodeURIComponent(turn)}`);

// An offer fits where the typed words begin its words one after the other: "vie boh", "vienna boh", or "boh" alone.
function matches(orders, typed, most) {
  const wanted = typed.toLowerCase().split(/[^\p{L}/]+/u).filter(Boolean);
  const found = [];
  for (const offer of orders) {
    const spellings = [offer.order, offer.words].map((text) => text.toLowerCase().split(/[^\p{L}/]+/u));
    const fits = spellings.some((parts) => {
      let at = 0;
      return wanted.every((word) => {
        const place = parts.findIndex((part, number) => number >= at && part.startsWith(word));
        at = place + 1;
        return place >= 0;
      });
    });
    if (fits) found.push([spellings[0].length, offer]);
  }
  return found.sort((one, other) => one[0] - other[0]).slice(0, most).map(([, offer]) => offer);
}

// Puts a list of offers under an input. `unit` stands in front of the line: only its orders are offered, and what is
// typed behind it is what is looked for.
function complete(input, orders, unit) {
  const list = el("ol", { class: "complete", role: "listbox" });
  const own = unit ? orders.filter((offer) => offer.unit === unit) : orders;
  let offers = [], at = -1, meant = null;
  const close = () => { offers = []; at = -1; draw(); };
  const draw = () => {
    list.replaceChildren(...offers.map(({ order, words }, number) => {
      const isTaken = at < 0 ? order === meant : number === at;
      return el("li", { role: "option", "aria-selected": String(isTaken), class: isTaken ? "at" : "" },
        isTaken ? "▸ " : number === 0 && at < 0 ? "⇥ " : "", el("b", {}, order), " ", el("small", {}, words));
    }));
  };
  list.mark = (order) => { meant = order; draw(); }; // what the typed text means, as the rules read it: Enter takes that
  const typed = () => (unit && input.value.toLowerCase().startsWith(unit.toLowerCase()) ? input.value.slice(unit.length) : input.value);
  const take = (number) => {
    at = number;
    input.value = offers[at].text;
    draw();
    input.dispatchEvent(new CustomEvent("taken"));
  };
  input.addEventListener("input", () => {
    offers = typed().trim() ? matches(own, typed(), 7) : [];
    at = -1;
    meant = null;
    draw();
  });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (!offers.length || event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      take((at + (event.key === "ArrowDown" ? 1 : at < 0 ? 0 : -1) + offers.length) % offers.length);
      event.preventDefault();
    } else if (event.key === "Tab" && !event.shiftKey && at < 0 && input.value !== offers[0].text) {
      take(0);
      event.preventDefault();
    } else if (event.key === "Escape") {
      close();
      event.stopPropagation();
    } else if (event.key === "Enter") close();
  });
  return list;
}
