"use strict";
// What the pages need no script for, smoother: the clock counts down, and the page is fetched again when something new is published.
const shown = document.getElementById("clock"), clock = shown ? JSON.parse(shown.dataset.clock) : null;
let skew = 0;

function drawClock() {
  if (!clock?.since) return;
  let gone = clock.elapsed + (Date.now() + skew - Date.parse(clock.since)) / 1000;
  for (const [name, seconds] of clock.parts) {
    if (gone < seconds) {
      const left = Math.ceil(seconds - gone);
      shown.className = left <= 60 ? "warn" : "";
      document.getElementById("left").textContent = `${name} ${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
      return;
    }
    gone -= seconds;
  }
  shown.className = "over";
  document.getElementById("left").textContent = "time is up";
}

async function look() {
  try {
    const told = await (await fetch("/live/newest", { cache: "no-store" })).json();
    skew = Date.parse(told.now) - Date.now();
    const writing = document.activeElement?.tagName === "INPUT" && document.activeElement.value;
    if (String(told.newest) !== document.body.dataset.newest && !writing) location.reload();
  } catch { /* the desk is away for a moment; the page stays as it is */ }
}

drawClock();
setInterval(drawClock, 500);
look();
setInterval(look, 10000);
