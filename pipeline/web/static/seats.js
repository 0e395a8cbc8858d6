"use strict";
// Who sits where: by player, found by typing a few letters, and by board.
let seats = null;
const title = (power) => power[0] + power.slice(1).toLowerCase();
const table = (rows) => el("table", {}, rows.map(([left, right]) => el("tr", {}, el("td", {}, left), el("td", {}, el("b", {}, right)))));

function draw() {
  const wanted = $("find").value.trim().toLowerCase();
  const found = seats.players.filter((seat) => seat.player.toLowerCase().includes(wanted));
  $("what").textContent = `seats of round ${seats.round}`;
  fill($("players"), el("h2", {}, "By player"), table(found.map((seat) => [seat.player, `board ${seat.board}, ${title(seat.power)}`])), found.length ? null : el("p", {}, seats.boards.length ? "nobody of this name plays in this round" : "this round is not drawn yet"));
  fill($("byboard"), el("h2", {}, "By board"), el("div", { class: "lists" }, seats.boards.map((board) => el("div", {}, el("h3", {}, `Board ${board.board}`), table(board.seats.map((seat) => [title(seat.power), seat.player || "nobody"]))))));
}

addEventListener("DOMContentLoaded", async () => {
  $("find").addEventListener("input", draw);
  try { seats = await ask(`/api/seats${location.search}`); draw(); } catch (refusal) { $("said").hidden = false; $("said").textContent = refusal.message; }
});
