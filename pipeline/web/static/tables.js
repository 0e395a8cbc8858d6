"use strict";
let told = null;
const said = (text) => { $("said").hidden = !text; $("said").textContent = text; };

async function tell() {
  told = await ask("/api/tables");
  $("games").replaceChildren(...told.games.map(drawGame));
  drawDice(); drawStandings();
}

async function tryTo(path, body) {
  try { const answer = await ask(path, body); said(""); await tell(); return answer; } catch (refusal) { said(`✗ ${refusal.message}`); return null; }
}

function drawGame(game) {
  if (game.ended) return el("section", {}, el("h2", {}, `Board ${game.board} · over: ${game.ended}`), el("p", { class: "small" }, game.votes.join(" · ")));
  const power = el("select", {}, game.survivors.map(([name, title, centres]) => el("option", { value: name }, `${title} (${centres})`)));
  const moment = el("select", {}, told.moments.map((each) => el("option", {}, each)));
  const tick = (words) => { const box = el("input", { type: "checkbox" }); return [box, el("label", {}, box, ` ${words}`)]; };
  const [agree, agreeLabel] = tick("all agree to hold it"), [veto, vetoLabel] = tick("somebody objects openly"), [stale, staleLabel] = tick("a stalemate");
  const answer = el("div", {});
  const body = () => ({ board: game.board, power: power.value, moment: moment.value, all_agree: agree.checked, vetoed: veto.checked, stalemate: stale.checked });
  const may = async () => {
    try {
      const { against } = await ask("/api/tables/ask", body());
      const hard = against.filter((each) => !each.asks);
      answer.replaceChildren(...against.map((each) => el("p", { class: each.asks ? "" : "bad" }, `${each.asks ? "? your ruling:" : "✗"} ${each.text} (§ ${each.rule})`)),
        hard.length ? el("p", { class: "bad" }, "✗ no vote is held now") : el("button", { class: "main", onclick: () => takeBallots(game, body(), against.length > 0) }, against.length ? "I rule that it is held: take the ballots" : "✓ take the ballots"));
    } catch (refusal) { said(refusal.message); }
  };
  const how = el("select", {}, told.endings.map((each) => el("option", {}, each))), why = el("input", { placeholder: "why" });
  return el("section", {}, el("h2", {}, `Board ${game.board} · ${game.phase}${game.solo ? ` · ★ ${game.solo} has won alone` : ""}`), el("p", { class: "small" }, game.votes.join(" · ")),
    el("fieldset", {}, el("legend", {}, "Draw vote"), el("label", {}, "asked by ", power), el("label", {}, "during ", moment), agreeLabel, vetoLabel, staleLabel, el("button", { onclick: may }, "may it be held?"), answer, el("p", { class: "small" }, `counted: ${game.by_vote}`)),
    el("fieldset", {}, el("legend", {}, "End the game"), how, " ", why, " ", el("button", { onclick: () => tryTo("/api/tables/end", { board: game.board, how: how.value, why: why.value }) }, "end it"), el("p", { class: "small" }, `counted: ${game.by_time}`)));
}

// Secret entry: each power comes to the desk alone, presses Y, N or A, and only "cast" stays on the screen.
function takeBallots(game, body, ruled) {
  const cast = {};
  const rows = game.survivors.map(([name, title]) => el("div", { class: "ballot", "data-power": name }, el("b", {}, title), el("span", { class: "sign" }), el("button", { onclick: () => one(name, title) }, "vote")));
  const one = (name, title) => {
    const mark = (vote) => {
      cast[name] = vote;
      rows.find((row) => row.dataset.power === name).classList.add("cast");
      booth.replaceChildren(el("p", { class: "good" }, `✓ ${title} has voted`));
      count.disabled = Object.keys(cast).length < rows.length;
    };
    booth.replaceChildren(el("h2", {}, `${title}: a draw now?`), el("button", { onclick: () => mark("yes") }, "Yes"), " ", el("button", { onclick: () => mark("no") }, "No"), " ", el("button", { onclick: () => mark("absent") }, "is not there"));
  };
  const booth = el("div", {});
  const count = el("button", { class: "main", disabled: "", onclick: async () => {
    const answer = await tryTo("/api/tables/vote", { ...body, ballots: cast, ruled });
    if (answer) $("ballots").replaceChildren(el("section", { class: answer.carried ? "good" : "" }, el("h2", {}, `Board ${game.board}: ${answer.yes} yes, ${answer.no} no — ${answer.carried ? "✓ the draw is carried, the game is over" : "✗ not carried, play goes on"}`)));
  } }, "count");
  $("ballots").replaceChildren(el("section", {}, el("h2", {}, `Ballots of board ${game.board}`), el("p", { class: "small" }, told.secret ? `secret (§ ${told.secret_rule}): only the count is kept` : `not secret (§ ${told.secret_rule})`), ...rows, booth, el("p", {}, count)));
  $("ballots").scrollIntoView();
}

function drawDice() {
  $("dice").hidden = !told.dice;
  if (!told.dice) return;
  const waiting = told.rolls.find((roll) => !roll.seed);
  const round = told.rounds.at(-1), word = el("input", { placeholder: "the word that was called" });
  $("dice").replaceChildren(el("h2", {}, "The die of the last years"), el("p", { class: "small" }, told.dice_rule), ...told.rolls.map((roll) => el("p", {}, `Round ${roll.round}, roll ${roll.number}: `,
    roll.seed ? el("b", {}, `${roll.die} — ${roll.ends ? "the last year is over" : "another year is played"}`) : "sealed", el("br", {}), el("code", {}, `${roll.hash}${roll.seed ? ` = sha256("${roll.seed}"), word “${roll.word}”` : ""}`))),
  waiting ? el("p", {}, "Show the hash above to the room; then somebody calls a word: ", word, " ", el("button", { class: "main", onclick: () => tryTo("/api/tables/dice", { do: "roll", round: waiting.round, word: word.value }) }, "roll"))
    : el("button", { onclick: () => tryTo("/api/tables/dice", { do: "commit", round }) }, `seal a seed for round ${round}`));
}

function drawStandings() {
  const rows = el("table", { hidden: "" }, told.standings.map((row) => el("tr", {}, el("td", {}, row.place), el("td", {}, row.player), el("td", {}, row.total))));
  fill($("standings"), el("h2", {}, `Standings · ${told.open ? "◉ everybody sees them on the screen" : "▣ sealed: nobody sees them on the screen"}`), told.sealed_by_rule ? el("p", { class: "small" }, "the rules seal them until the awards") : null,
    el("button", { onclick: () => { rows.hidden = !rows.hidden; } }, "show them here"), " ", el("button", { onclick: () => tryTo("/api/tables/seal", { open: !told.open }) }, told.open ? "seal them" : "open them to everybody"), rows);
}

addEventListener("DOMContentLoaded", () => tell().catch((refusal) => said(refusal.message)));
