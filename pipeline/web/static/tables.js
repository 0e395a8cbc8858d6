"use strict";
let told = null;

const asked = new URLSearchParams(location.search).get("board");

async function tell() {
  told = await ask("/api/tables");
  sees(told);
  const first = told.games.filter((game) => game.board === asked), others = told.games.filter((game) => game.board !== asked);
  keepFocus(() => {
    $("games").replaceChildren(...[...first, ...others].map(drawGame));
    drawSeats(); drawEndAll(); drawDice(); drawStandings();
  });
  drawDoubts(await ask("/api/tables/doubts"));
}

// What the numbers rest on until the director says otherwise, what decides most first; each with the way to say it.
function drawDoubts({ doubts, in_short, level_so_far }) {
  const settle = (each) => el("a", { class: "button", href: each.settle }, each.button);
  const list = (some) => el("ul", { class: "doubts" }, some.map((each) => el("li", {}, el("b", {}, each.decides), ` ${each.where}: ${each.text} `, settle(each))));
  const now = doubts.filter((each) => !each.later), later = doubts.filter((each) => each.later);
  fill($("doubts"), el("h2", {}, `Standings: ${in_short}`), now.length ? el("p", {}, "Until you decide, the standings are provisional.") : null, list(now),
    level_so_far ? el("details", {}, el("summary", {}, level_so_far), list(later)) : null);
}

function drawSeats() {
  const rounds = told.rounds.filter((round) => !told.told.includes(round));
  $("seats").hidden = !rounds.length;
  fill($("seats"), el("h2", {}, "Seats that are not public yet"), rounds.map((round) => el("p", {}, el("button", { onclick: () => tryTo("/api/tables/tell", { round }) }, `Publish the seats of round ${round}`), " on the screen and on the players’ telephones; they become public with the first result at the latest")));
}

async function tryTo(path, body) {
  const made = pressed;
  sayAt(made, "");
  try { const answer = await working(made?.closest("button"), () => ask(path, body)); said(""); await tell(); return answer; } catch (refusal) { refuseAt(made, refusal); return null; }
}

function drawGame(game) {
  const votes = el("p", { class: "small" }, game.votes.join(" · "), " ", game.votes.length && !game.ended ? takeBack(game, "vote", "Take the last vote back…", "The last vote is taken back, as if it had not been held.") : null);
  if (game.ended) return el("section", {}, el("h2", {}, `Board ${game.board} · over: ${game.ended_words}`), votes, el("p", {}, `Said by ${game.end.by}${game.end.why ? `: ${game.end.why}` : ""}`),
    ...game.end.overruled.map((line) => el("p", { class: "bad" }, `Overruled: ${line}`)),
    game.end.entered ? el("p", { class: "small" }, "Its result was entered: take that back under Notes, or set its sheet aside") : takeBack(game, "end", "It goes on after all…", ["The end is taken back: the game goes on.", ...game.end.rests]));
  const head = el("h2", {}, `Board ${game.board} · ${game.phase}${game.over ? ` · ■ to be ended: ${game.over}` : ""}`);
  const parts = [drawEnd(game), votes, el("details", {}, el("summary", {}, "A vote on a draw"), drawVote(game)), drawPosition(game)];
  return el("section", {}, ...(asked && asked !== game.board ? [el("details", {}, el("summary", {}, head), ...parts)] : [head, ...parts]));
}

// Every decision here is asked once, in words; a reason is asked for where something rests on it.
function takeBack(game, what, words, told) {
  const lines = Array.isArray(told) ? told : [told], panel = el("div", { class: "asked" });
  const why = el("input", { "aria-label": "why", placeholder: lines.length > 1 ? "Why, all the same" : "Why" });
  const open = () => {
    const head = el("p", { tabindex: "-1" }, lines.join(" "));
    panel.replaceChildren(head, why, " ", el("button", { class: "main", onclick: () => tryTo("/api/tables/undo", { board: game.board, what, why: why.value }) }, "Take it back"), " ", el("button", { onclick: () => panel.replaceChildren() }, "Leave it"));
    head.focus();
  };
  return el("span", {}, el("button", { onclick: open }, words), panel);
}

function drawVote(game) {
  const power = el("select", {}, game.survivors.map(([name, title, centres]) => el("option", { value: name }, `${title}, ${centres} ${centres === 1 ? "centre" : "centres"}`)));
  const moment = el("select", {}, game.moments.map((each) => el("option", { value: each, selected: each === game.moment ? "" : null }, asSentence(each))));
  const tick = (words) => { const box = el("input", { type: "checkbox" }); return [box, el("label", {}, box, ` ${words}`)]; };
  const [agree, agreeLabel] = tick("All agree to hold it"), [stale, staleLabel] = tick("A stalemate");
  const why = el("input", { "aria-label": "why", placeholder: "Why you rule so" }), answer = el("div", {});
  const body = () => ({ board: game.board, power: power.value, moment: moment.value, all_agree: agree.checked, stalemate: stale.checked, why: why.value });
  const may = async () => {
    try {
      const { against } = await ask("/api/tables/ask", body());
      const hard = against.filter((each) => !each.asks);
      answer.replaceChildren(...against.map((each) => el("p", { class: each.asks ? "" : "bad" }, `${each.asks ? "? your ruling:" : "✗"} ${each.text} (§ ${each.rule})`)),
        hard.length ? el("p", { class: "bad" }, "✗ No vote is held now. Your rules forbid it, and a vote cannot be held against them.") : against.length ? why : "", " ", hard.length ? "" : el("button", { class: "main", onclick: () => takeBallots(game, body(), against.length > 0) }, against.length ? "I rule that it is held: take the ballots" : "✓ take the ballots"),
        ...(hard.length ? [] : [" ", countedByHand(game, body, against.length > 0)]),
        ...(hard.length || !told.knows_veto ? [] : [" ", el("button", { onclick: () => tryTo("/api/tables/veto", { ...body(), ruled: against.length > 0 }) }, "Somebody objects openly: write it down")]));
    } catch (refusal) { refuseAt(pressed, refusal); }
  };
  return el("fieldset", {}, el("label", {}, "Asked by ", power), el("label", {}, "During ", moment), told.agreeing_counts ? agreeLabel : "", told.stalemate_counts ? staleLabel : "", " ", el("button", { onclick: may }, "May it be held?"), answer, el("details", { class: "small" }, el("summary", {}, "Which position counts"), game.by_vote));
}

// Votes that were counted on paper or by raised hands: their numbers are enough.
function countedByHand(game, body, ruled) {
  const voters = game.survivors.length;
  const numbers = [["yes", "For the draw"], ["no", "Against it"], ["absent", "Not there"], ["gone", "Abandoned"]].map(([name, words]) => [name, el("input", { type: "number", min: 0, max: voters, value: 0, "aria-label": words }), words]);
  const send = async (made) => {
    const counted = Object.fromEntries(numbers.map(([name, input]) => [name, Number(input.value)]));
    try {
      const answer = await ask("/api/tables/vote", { ...body(), counted, ruled });
      await tell();
      showVote(game, answer);
    } catch (refusal) { refuseAt(made, refusal); }
  };
  return el("details", {}, el("summary", {}, "Counted by hand"), el("div", { class: "row" }, numbers.map(([, input, words]) => field(words, input)), button("Write the count down", send)));
}

// A game that is taken over in the middle, or a unit that should not be there.
function drawPosition(game) {
  const inside = el("div", {});
  const open = async () => {
    const found = await ask(`/api/tables/position?board=${encodeURIComponent(game.board)}`);
    const phase = el("input", { value: found.phase, size: 8 }), example = "such as F1903M: Fall 1903, moves", why = el("input", { placeholder: "Why", "aria-label": "why" });
    const rows = found.powers.map((each) => [each.power, el("input", { value: each.units, "aria-label": `units of ${title(each.power)}` }), el("input", { value: each.centres, "aria-label": `centres of ${title(each.power)}` })]);
    const fieldOf = (where) => (where === "phase" ? phase : rows.find(([power]) => where.endsWith(` ${power}`))?.[where.startsWith("units") ? 1 : 2]);
    const save = async (made) => {
      const powers = Object.fromEntries(rows.map(([power, units, centres]) => [power, { units: units.value, centres: centres.value }]));
      try {
        const answer = await ask("/api/tables/position", { board: game.board, phase: phase.value, powers, why: why.value, shown: found.shown });
        await tell();
        said([`✓ board ${game.board} stands as you set it`, ...answer.problems].join("; "), true);
      } catch (refusal) { refuseAt(fieldOf(refusal.answer?.where ?? "") ?? made, refusal); }
    };
    fill(inside, el("p", { class: "row" }, field("Phase", phase), el("small", {}, example)), ...rows.map(([power, units, centres]) => el("div", { class: "position" }, el("b", {}, title(power)), units, centres)),
      el("p", { class: "small" }, "Units with commas between them, such as A VIE, F STP/SC; then the centres; phases that are left out need a reason"), el("div", { class: "row" }, why, button("Set the board so", save, { class: "main" })));
  };
  const folded = el("details", {}, el("summary", {}, "Set the position by hand"), inside);
  folded.addEventListener("toggle", () => { if (folded.open) open().catch((refusal) => said(`✗ ${refusal.message}`)); });
  return folded;
}

function showVote(game, answer) {
  $("ballots").replaceChildren(el("section", { class: answer.carried ? "good" : "" }, el("h2", {}, `Board ${game.board}: ${answer.yes} yes, ${answer.no} no — ${answer.carried ? "✓ the draw is carried, the game is over" : "✗ not carried, play goes on"}`)));
}

function drawEnd(game) {
  const first = game.endings.find((each) => !each.refused);
  const how = el("select", { "aria-label": "how it ended" }, game.endings.map((each) => el("option", { value: each.how, disabled: each.refused ? "" : null, selected: each === first ? "" : null, title: each.refused }, asSentence(each.words))));
  const panel = el("div", { class: "asked" });
  const open = async () => {
    try {
      const { words, against } = await ask("/api/tables/may-end", { board: game.board, how: how.value });
      const firm = against.some((each) => each.firm), head = el("p", { tabindex: "-1" }, words.join(" "));
      const why = el("input", { "aria-label": "why", class: "why", placeholder: against.length ? "Your reason for overruling; it is shown with the standings" : "Why (may stay empty)" });
      const end = el("button", { class: "main", disabled: against.length ? "" : null, onclick: () => tryTo("/api/tables/end", { board: game.board, how: how.value, why: why.value }) }, against.length ? "I overrule that: end it so" : "End it so");
      why.addEventListener("input", () => { end.disabled = against.length > 0 && !why.value.trim(); });
      fill(panel, head, ...against.map((each) => el("p", { class: "bad" }, `✗ ${each.text} (§ ${each.rule})`)), firm ? null : why, " ", firm ? null : end, " ", el("button", { onclick: () => panel.replaceChildren() }, "It goes on"));
      head.focus();
    } catch (refusal) { refuseAt(pressed, refusal); }
  };
  return el("fieldset", {}, el("legend", {}, "End the game"), how, " ", el("button", { onclick: open }, "End it…"), panel);
}

// Time is called for all boards at once: what it means for each is seen first; one that the rules speak against is ended alone.
function drawEndAll() {
  const running = asked ? [] : told.games.filter((game) => !game.ended), fits = (game, how) => game.endings.some((each) => each.how === how && !each.refused);
  const ways = running.length > 1 ? running[0].endings.filter(({ how }) => how !== "solo" && running.every((game) => fits(game, how))) : [];
  const isOver = !asked && told.games.length > 0 && told.games.every((game) => game.ended);
  $("all").hidden = !ways.length && !isOver;
  if (isOver) return fill($("all"), el("p", {}, el("a", { class: "button main", href: "/desk" }, "To the round: what comes next")));
  if (!ways.length) return;
  const how = el("select", { "aria-label": "how all ended" }, ways.map((each) => el("option", { value: each.how }, asSentence(each.words)))), panel = el("div", { class: "asked" });
  const open = async (made) => {
    try {
      const found = [], way = how.value;
      await working(made, async () => { for (const game of running.filter((each) => !each.own)) found.push([game, await ask("/api/tables/may-end", { board: game.board, how: way })]); });
      const lines = found.map(([game, { words, against }]) => ({ board: game.board, against, words: words[1], box: el("input", against.some(({ firm }) => firm) ? { type: "checkbox", disabled: "" } : { type: "checkbox", checked: "" }) }));
      const head = el("p", { tabindex: "-1" }), why = el("input", { "aria-label": "why", class: "why", size: 50 }), chosen = () => lines.filter(({ box }) => box.checked);
      const end = button("", (pressed) => working(pressed, () => ask("/api/tables/end-all", { boards: chosen().map(({ board }) => board), how: way, why: why.value })).then(async ({ numbers }) => {
        await tell();
        said(`✓ ${count(numbers.length, "board")} ended `, true);
        $("said").append(takeBackLink(numbers, "Take it back"));
      }, (refusal) => tell().then(() => refuseAt($("all"), refusal))), { class: "main" });
      const weigh = () => {
        const isAgainst = chosen().some(({ against }) => against.length);
        head.textContent = `End ${count(chosen().length, "board")}?`;
        why.placeholder = isAgainst ? "Your reason, shown with the standings" : "Why (may stay empty)";
        end.textContent = isAgainst ? "I overrule that: end them" : "End them";
        end.disabled = !chosen().length || (isAgainst && !why.value.trim());
      };
      panel.oninput = weigh;
      weigh();
      fill(panel, head, running.filter((game) => game.own).map((game) => el("p", { class: "bad" }, el("b", {}, `Board ${game.board}: `), "✗ you play there; somebody else ends it")), lines.map(({ board, against, words, box }) => el("p", { class: against.length ? "bad" : "" }, el("label", {}, box, el("b", {}, ` Board ${board}: `), against.length ? against.map(({ text, rule }) => `✗ ${text} (§ ${rule})`).join("; ") : words))),
        why, " ", end, " ", button("They go on", () => panel.replaceChildren()));
      head.focus();
    } catch (refusal) { refuseAt(made, refusal); }
  };
  fill($("all"), el("h2", {}, `All ${count(running.length, "board")}`), el("div", { class: "row" }, how, button("End them…", open)), panel);
}

// Secret entry: each power comes to the screen alone, presses Y, N or A, and only "cast" stays on the screen.
function takeBallots(game, body, ruled) {
  const cast = {};
  const rows = game.survivors.map(([name, title]) => el("div", { class: "ballot", "data-power": name }, el("b", {}, title), el("span", { class: "sign" }), el("button", { onclick: () => one(name, title) }, "Vote")));
  const one = (name, title) => {
    const mark = (vote) => {
      cast[name] = vote;
      rows.find((row) => row.dataset.power === name).classList.add("cast");
      booth.replaceChildren(el("p", { class: "good" }, `✓ ${title} has voted`));
      count.disabled = Object.keys(cast).length < rows.length;
    };
    booth.replaceChildren(el("h2", {}, `${title}: a draw now?`), el("button", { onclick: () => mark("yes") }, "Yes"), " ", el("button", { onclick: () => mark("no") }, "No"), " ", el("button", { onclick: () => mark("absent") }, "Is not there"), " ", el("button", { onclick: () => mark("gone") }, "Has abandoned the game"));
  };
  const booth = el("div", {}), forAbsent = el("select", {}, [["", "As the rules say"], ["yes", "For it"], ["no", "Against it"]].map(([value, words]) => el("option", { value }, words)));
  const count = el("button", { class: "main", disabled: "", onclick: async () => {
    const answer = await tryTo("/api/tables/vote", { ...body, ballots: cast, ruled, for_absent: forAbsent.value });
    if (answer) showVote(game, answer);
  } }, "Count");
  $("ballots").replaceChildren(el("section", {}, el("h2", {}, `Ballots of board ${game.board}`), el("p", { class: "small" }, told.secret ? `secret (§ ${told.secret_rule}): only the count is kept` : `not secret (§ ${told.secret_rule})`), ...rows, booth, told.absent_asks ? el("p", {}, el("label", {}, "Who is not there, or has gone, votes ", forAbsent)) : "", el("p", {}, count)));
  $("ballots").scrollIntoView();
}

function drawDice() {
  const isDue = told.dice && (told.rolls.length > 0 || told.games.some((game) => !game.ended));
  $("dice").hidden = !isDue;
  if (!isDue) return;
  const waiting = told.rolls.find((roll) => !roll.seed);
  const round = told.rounds.at(-1), word = el("input", { placeholder: "The word that was called" });
  const head = el("h2", {}, "The die of the last years"), parts = [el("p", { class: "small" }, told.dice_rule), ...told.rolls.map((roll) => el("p", {}, `Round ${roll.round}, roll ${roll.number}: `,
    roll.seed ? el("b", {}, `${roll.die} — ${roll.ends ? "the last year is over" : "another year is played"}`) : "sealed", el("br", {}), el("code", {}, `${roll.hash}${roll.seed ? ` = sha256("${roll.seed}"), word “${roll.word}”` : ""}`))),
  waiting ? el("p", {}, "Show the hash above to the room; then somebody calls a word: ", word, " ", el("button", { class: "main", onclick: () => tryTo("/api/tables/dice", { do: "roll", round: waiting.round, word: word.value }) }, "Roll"))
    : el("button", { onclick: () => tryTo("/api/tables/dice", { do: "commit", round }) }, `Seal a seed for round ${round}`)];
  fill($("dice"), told.rolls.length ? [head, ...parts] : el("details", {}, el("summary", {}, head), parts)); // whether it is rolled at all is the director's choice
}

// Where the rules call results interim until the director publishes them as final.
function drawFinal(final) {
  if (!final.at && !told.over) return el("p", { class: "small" }, "They are interim until you publish them as final, here, when the last round is over.");
  const why = el("input", { placeholder: "Why", "aria-label": "why" });
  return el("p", {}, final.at ? `final since ${final.at} ` : `interim, ${final.words} `, why, " ",
    el("button", { onclick: () => tryTo("/api/tables/final", { why: why.value }) }, final.at ? "Publish other results as final" : "Publish the results as final"));
}

function drawStandings() {
  const isWanted = location.hash === "#standings"; // another page leads here to see them
  const rows = el("table", { class: "boards", hidden: isWanted ? null : "" }, el("tr", {}, ["Place", "Player", "Score"].map((words) => el("th", {}, words))), told.standings.map((row) => el("tr", {}, el("td", {}, row.place), el("td", {}, row.player), el("td", {}, row.total))), told.standings_waiting.map((name) => el("tr", {}, el("td", {}, "–"), el("td", {}, name), el("td", {}, ""))));
  fill($("standings"), el("h2", {}, `Standings ${told.standings_after} · ${told.open ? "◉ the players see them" : "▣ the players do not see them on the screen or on their telephones"}`), told.sealed_by_rule ? el("p", { class: "small" }, "The rules seal them until the awards") : null,
    el("div", { class: "row" }, button(rows.hidden ? "Show them here" : "Fold them", (made) => { rows.hidden = !rows.hidden; made.textContent = rows.hidden ? "Show them here" : "Fold them"; }), ...standingsFiles(), el("button", { onclick: () => tryTo("/api/tables/seal", { open: !told.open }) }, told.open ? "Hide them from the players" : "Show them to the players"), el("a", { href: "/desk" }, "Back to the round")), rows,
    told.final ? drawFinal(told.final) : null,
    told.rounds.length && told.left_out.length ? el("p", { class: "small" }, `Not drawn yet: round ${told.left_out.join(", ")}. `, el("a", { href: "/notes?what=early-end" }, "The event ends before its last round…")) : null);
}

addEventListener("DOMContentLoaded", () => tell().then(() => location.hash && document.querySelector(location.hash)?.scrollIntoView(), (refusal) => said(refusal.message)));
