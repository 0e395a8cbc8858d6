"use strict";
// For televisions and telephones of 2019, too: no sign that is newer than Chrome 69. What the pages need no script for, smoother: the clock counts down, and the page is fetched again when something new is published.
const shown = document.getElementById("clock"), clock = shown ? JSON.parse(shown.dataset.clock) : null;
let gone = null, toldAt = 0; // seconds of the clock that were over when the desk was asked last, and when that was

function drawClock() {
  if (!clock || !clock.runs || gone === null) return;
  let over = gone + (performance.now() - toldAt) / 1000;
  for (const [name, seconds] of clock.parts) {
    if (over < seconds) {
      const left = Math.ceil(seconds - over);
      shown.className = left <= 120 ? "warn" : ""; // as in common.js
      document.getElementById("left").textContent = `${name} ${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
      return;
    }
    over -= seconds;
  }
  shown.className = "over";
  document.getElementById("left").textContent = shown.dataset.over;
}

async function look() {
  try {
    const told = await (await fetch("/live/newest", { cache: "no-store" })).json();
    [gone, toldAt] = [told.gone, performance.now()];
    drawClock();
    const held = document.activeElement, writing = held && held.tagName === "INPUT" && held.value;
    if (String(told.newest) !== document.body.dataset.newest && !writing && held !== season) location.reload();
  } catch { /* the desk is away for a moment; the page stays as it is */ }
}

// A board's seasons, one after the other under the slider: the map changes, and what leads to its orders.
const season = document.getElementById("season");
if (season) {
  const phases = JSON.parse(season.dataset.phases), map = document.querySelector("figure .map"), words = document.getElementById("season-is");
  const links = [...document.querySelectorAll("figure a")];
  season.closest(".slider").hidden = false;
  season.addEventListener("input", () => {
    const [picture, page, title] = phases[season.value];
    map.src = picture;
    map.alt = title;
    words.textContent = title;
    links[0].href = picture;
    if (links[1]) { links[1].href = page; links[1].textContent = title; }
  });
}

setInterval(drawClock, 500);
look();
setInterval(look, 10000);
