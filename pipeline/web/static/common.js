"use strict";
// What all pages share: building elements, asking the server, and telling when it is gone.
const $ = (id) => document.getElementById(id);
const meta = (name) => document.querySelector(`meta[name=${name}]`)?.content ?? "";

const there = (children) => children.flat().filter((child) => child !== null && child !== undefined && child !== "");
const fill = (node, ...children) => node.replaceChildren(...there(children)); // what is null is left out, not written

function el(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name === "class") made.className = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...there(children));
  return made;
}

class Refusal extends Error {
  constructor(status, answer) {
    super(answer.said ?? "the server did not understand");
    this.status = status;
    this.answer = answer;
  }
}

async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Token": meta("token") },
    body: JSON.stringify(body),
  };
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Refusal(0, { said: "no answer from the desk; nothing was decided. It goes on by itself when the desk is back" });
  }
  const answer = await response.json().catch(() => ({}));
  if (response.status === 401) location = "/door";
  if (!response.ok) throw new Refusal(response.status, answer);
  return answer;
}

function clockText(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

const WARN_S = 120; // from here on every clock is yellow (NZ99 8: two minutes before the end)

// How much of the clock is over: as the server told it, and what has gone by since; nobody's clock on the wall is asked.
const clockGone = (clock, told) => clock.gone + (clock.since ? (performance.now() - told) / 1000 : 0);

// The clock as it stands: the part that runs, and what is left of it. `told` is when the server answered.
function clockNow(clock, told) {
  let gone = clockGone(clock, told);
  for (const [name, seconds] of clock.parts) {
    if (gone < seconds) return { name, left: seconds - gone, of: seconds, over: false };
    gone -= seconds;
  }
  return { name: "time is up", left: 0, of: 1, over: true };
}
