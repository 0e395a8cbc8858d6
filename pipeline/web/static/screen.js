"use strict";
// The public screen: only what is published. One board after the other, for twelve seconds each.
let turn = 0;
globalThis.drawScreen = (told) => {
  const boards = told.boards;
  const lots = told.lots.map((lot) => el("p", {}, `Lot of round ${lot.round} among ${lot.names.join(", ")}: `, lot.seed ? el("b", {}, lot.order.join(", ")) : "sealed ", " ",
    el("code", {}, lot.seed ? `sha256("${lot.seed}") = ${lot.hash}, word “${lot.word}”` : lot.hash)));
  if (!boards.length) { $("shown").replaceChildren(...lots); return; }
  const board = boards[Math.floor(turn++ / 4) % boards.length];
  const rolls = told.dice.map((roll) => el("p", {}, `Die ${roll.number} of round ${roll.round}: `, roll.seed ? el("b", {}, `${roll.die}${roll.ends ? ", the last year is over" : ", play goes on"}`) : "sealed ", " ",
    el("code", {}, roll.seed ? `sha256("${roll.seed}") = ${roll.hash}, word “${roll.word}”` : roll.hash)));
  $("shown").replaceChildren(
    el("p", {}, boards.map((each) => el("span", {}, `${each === board ? "▸ " : ""}Board ${each.board}: ${each.ended ?? each.over ?? each.phase}   `))),
    ...rolls,
    ...lots,
    el("h2", {}, `Board ${board.board} · ${board.published || "not begun"}`),
    el("div", { class: "gate" }, board.orders.filter(([, orders]) => orders.length).map(([power, orders]) => el("section", { class: "power" }, el("h3", {}, power), el("table", {}, orders.map((order) =>
      el("tr", {}, el("td", {}, order.good ? "✓" : "✗"), el("td", {}, el("b", {}, order.order)), el("td", { class: "small" }, order.good ? "" : order.reason))))))),
    el("p", {}, board.next.join(" · ")),
    el("img", { src: `/map/board/${board.board}?of=${board.number}`, alt: `map of board ${board.board}`, width: "100%" }),
    ...(told.standings ? [el("h2", {}, `Standings ${told.standings_after}`), el("table", {}, told.standings.map((row) => el("tr", {}, el("td", {}, row.place), el("td", {}, row.player), el("td", {}, row.total))))] : []));
};
