"use strict";
// The public screen: only what is published. A slide fills the picture: each board with its map and orders, the seats of a new round,
// the standings while they are open, lots and dice. They follow one another; the arrows turn them, Space holds one.
const SLIDE_S = 12, BOARDS_A_SLIDE = 4, POLL_S = 3, SEATS_A_SLIDE = 4, PLACES_A_SLIDE = 24, MOST = 1.5, LEAST = 0.6;
let at = Number(location.hash.slice(1)) || 0, polls = 0, held = location.hash.length > 1, last = null, drawn = "";

const say = (word, data = {}) => ((last && last.words[word]) || "").replace(/\{(\w+)\}/g, (_, name) => data[name]); // in the event's language
const coat = (power) => el("span", { class: `coat ${power}` }, last.letters[power]); // as on the map
const parts = (list, size) => Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size));

const onlyCounted = (board) => board.by_hand || board.entered; // no orders to show: what stands, or what was counted at the end
const shownOf = (board) => board.published || onlyCounted(board); // of which season all is that a slide shows
const small = (board) => board.ended ? say("ended", { phase: shownOf(board), state: board.state }) : onlyCounted(board) || board.over || say("next", { phase: board.published, next: board.phase });
const mapOf = (board) => board.map ? el("img", { class: "map", src: `/live/map/${board.board}/${board.map}?of=${board.number}`, alt: say("map", board) }) : null;
const chartsOf = (board, kinds) => board.chart ? el("div", { class: "charts" }, kinds.map((what) => el("img", { class: "chart", src: `/live/${what}/${board.board}?of=${board.number}`, alt: say(what, board) }))) : null;
function boardSlide(board) {
  const who = Object.fromEntries(board.seats.map(([power, title, player]) => [title, [power, player]]));
  const counts = Object.fromEntries(board.counts);
  const groups = board.orders.filter(([, orders]) => orders.length).flatMap(([title, orders]) => [
    el("h2", {}, coat(who[title][0]), ` ${title} `, el("span", {}, who[title][1])),
    ...orders.map((order) => el("p", { class: order.good ? "good" : "bad" }, el("span", { class: "sign" }, order.good ? "✓" : "✗"), el("b", {}, order.order)))]);
  const next = board.next.map((line) => el("p", { class: "next" }, line));
  const people = board.seats.map(([power, title, player]) => el("p", { class: "person" }, coat(power), ` ${title} ${player}`, onlyCounted(board) ? el("b", {}, `\u00a0${counts[power]}`) : ""));
  return { title: say("board", board), small: small(board),
    node: () => el("div", { class: "slide table" }, mapOf(board) || chartsOf(board, ["chart"]), el("div", { class: "fit orders" }, groups.length ? groups : people, next)) };
}

// Several boards at once: each with its map, its counts, and how they came about.
function overviewSlides(told) {
  const played = told.boards.filter(shownOf);
  if (played.length < 2 && !played.some((board) => board.chart)) return [];
  return parts(played, BOARDS_A_SLIDE).map((boards) => ({ title: say("boards"), small: "",
    node: () => el("div", { class: "slide overview" }, boards.map((board) => el("figure", {}, el("figcaption", {}, el("b", {}, say("board", board)), ` ${small(board)} `, el("small", {}, `${board.counted}: `), board.counts.flatMap(([power, count]) => [coat(power), ` ${count} `])),
      el("div", {}, mapOf(board), chartsOf(board, ["chart", ...(told.standings ? ["scores"] : [])]))))) }));
}

function seatSlides(told) {
  const fresh = told.boards.filter((board) => !shownOf(board));
  return parts(fresh, SEATS_A_SLIDE).map((boards) => ({ title: say("seats", told), small: "",
    node: () => el("div", { class: "slide" }, el("div", { class: "fit seats" }, told.out.length && boards.includes(fresh[fresh.length - 1]) ? el("div", {}, el("h2", {}, say("out")), told.out.map((name) => el("p", {}, el("span", {}, name)))) : null, boards.map((board) => el("div", {}, el("h2", {}, say("board", board), board.pool ? `, ${board.pool}` : ""), board.seats.map(([power, , player]) => el("p", {}, coat(power), el("span", {}, player || say("nobody")))))))) }));
}

const waiting = (told) => (told.standings && told.standings.length ? told.standings_waiting : []).map((player) => ({ place: "–", player, total: "", share: 0 })); // who has no game that is over
const placeSlides = (told) => [...placesAs([...(told.standings || []), ...waiting(told)], told.standings_after), ...placesAs(told.projected, say("projected"))];
const placesAs = (all, small) => parts(all, PLACES_A_SLIDE).map((rows) => ({ title: say("standings"), small,
  node: () => el("div", { class: "slide" }, el("div", { class: "fit places" }, rows.map((row) => { const line = el("p", {}, el("span", {}, row.place), el("b", {}, row.player), el("span", {}, row.total)); line.style.setProperty("--share", row.share); return line; }))) }));

function drawnOpenly(told) {
  const dice = told.dice.map((roll) => el("p", {}, say("die", roll), roll.seed ? el("b", {}, say(roll.ends ? "last" : "goes_on", roll)) : say("sealed"), el("br"),
    el("code", {}, roll.seed ? `sha256("${roll.seed}") = ${roll.hash}, ${say("word", roll)}` : roll.hash)));
  const lots = told.lots.map((lot) => el("p", {}, say("lot", { round: lot.round, names: lot.names.join(", ") }), lot.seed ? el("b", {}, lot.order.join(", ")) : say("sealed"), el("br"),
    el("code", {}, lot.seed ? `sha256("${lot.seed}") = ${lot.hash}, ${say("word", lot)}` : lot.hash)));
  return dice.length + lots.length ? [{ title: say("drawn"), small: "", node: () => el("div", { class: "slide told fit" }, dice, lots) }] : [];
}

// All that there is to show, in its order: what is new first, all boards at a glance last.
const slides = (told) => [...seatSlides(told), ...told.boards.filter(shownOf).map(boardSlide), ...placeSlides(told), ...drawnOpenly(told), ...overviewSlides(told)];

function show(told) {
  const all = slides(told);
  if (!all.length) { drawn = ""; $("title").textContent = meta("event"); $("shown").replaceChildren(el("p", { class: "person" }, say("none"))); $("turns").replaceChildren(el("b", {}, told.notice)); return; }
  at = ((at % all.length) + all.length) % all.length;
  const slide = all[at], mark = JSON.stringify([at, told.notice, told.out, told.boards, told.standings, told.projected, told.dice, told.lots]);
  if (mark === drawn) return;
  drawn = mark;
  $("title").replaceChildren(slide.title, el("small", {}, slide.small));
  $("shown").replaceChildren(slide.node());
  $("turns").replaceChildren(el("b", {}, told.notice), ...told.boards.flatMap((board) => [" · ", el("span", {}, say("turn", { board: board.board, state: board.over || board.state }))]).slice(1));
  fit();
}

// As large as there is room, between limits: 1 is read from ten metres in a picture of two metres.
function fit() {
  for (const node of document.querySelectorAll(".fit")) {
    let k = MOST;
    const lines = node.matches(".orders") ? [...node.querySelectorAll("p")] : []; // none may run into the column beside it
    const tooLarge = () => node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1 || lines.some((line) => line.scrollWidth > line.clientWidth + 1);
    node.style.setProperty("--k", k);
    while (k > LEAST && tooLarge()) node.style.setProperty("--k", k = Math.round((k - 0.02) * 100) / 100);
  }
}

globalThis.drawScreen = (told) => {
  last = told;
  document.documentElement.lang = told.language;
  $("qr").alt = say("code");
  $("find").textContent = say("find");
  if (!held && polls && polls % (SLIDE_S / POLL_S) === 0) at += 1;
  polls += 1;
  show(told);
  globalThis.hasDrawn = true;
};

// Bright or dark: as this machine has it, until the button says otherwise; a hall may be dark and its machine bright.
const look = (wanted) => { document.documentElement.dataset.look = wanted; };
look(localStorage.getItem("look") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "bright"));
function otherLook() {
  look(document.documentElement.dataset.look === "dark" ? "bright" : "dark");
  localStorage.setItem("look", document.documentElement.dataset.look);
}

document.addEventListener("load", fit, true); // a map that has come takes its room; the window itself is not told of pictures
addEventListener("keydown", (event) => {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (event.key === " " && event.target !== $("look")) held = !held;
  if (!by || !last) return;
  at += by;
  show(last);
});
addEventListener("DOMContentLoaded", async () => {
  $("look").addEventListener("click", otherLook);
  new ResizeObserver(fit).observe($("shown")); // the picture changes its size, or the clock comes and takes its room
  const { address } = await ask("/live/where").catch(() => ({}));
  $("code").hidden = !address;
  if (address) $("qr").src = "/live/qr.svg";
  $("address").textContent = address || "";
});
