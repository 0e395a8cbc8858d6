"use strict";
// Small pictures of the camera go to the desk, several a second; one that shows a sheet whole, sharp and in light is
// taken in full, kept on this telephone until the desk has it, and handed in as any other file.
// A picture that hardly differs from one that was judged, or that moves, is not sent: each costs the desk 50 ms.
const LOOK_SIDE = 1400, REST_MS = 60, AGAIN_MS = 1500, QUALITY = 0.9, LOOK_QUALITY = 0.6;
const TINY = [24, 32], ALIKE = 1.5, MOVING = 8, LONGEST_MS = 600; // mean grey levels between two tiny pictures; one is sent at least so often
const video = () => $("camera");
const queue = []; // pictures that the desk does not have yet, the oldest first
const done = new Map(); // sheet -> its name: on its way or in, by this telephone
let lastWord = "", lastSaid = 0, sending = false, audio = null;
let before = null, told = null, lookedAt = 0; // tiny pictures: the last one, and the last sheet that needs no second look
let sharpest = null; // the picture of a sheet that is to be taken, until a second one was compared with it

// ---- what is kept on the telephone while there is no network: gone only when the desk has answered for it
async function restoreQueue() {
  try {
    for (const each of await keptHere()) { queue.push(each); if (each.sheet) done.set(each.sheet, each.name); }
  } catch { /* no store on this browser: pictures wait in memory only */ }
  showQueue();
  sendQueue();
}

function showQueue() {
  $("queue").textContent = queue.length ? `${queue.length} ${queue.length === 1 ? "picture waits" : "pictures wait"} for the desk; keep this page open` : "";
}

async function sendQueue() {
  if (sending) return;
  sending = true;
  while (queue.length) {
    const picture = queue[0], form = new FormData();
    form.append("files", picture.blob, picture.file);
    try {
      const response = await fetch("/api/upload", { method: "POST", headers: { "X-Token": meta("token") }, body: form });
      if (response.status === 401) { location = "/door"; return; }
      const answer = await response.json();
      if (response.status >= 500 || response.status === 408) throw new Error(answer.said); // kept, and sent again
      queue.shift();
      inStore((store) => store.delete(picture.key)).catch(() => {});
      const spoilt = response.ok ? answer.kept.flatMap((each) => each.spoilt) : [answer.said];
      if (spoilt.length) { done.delete(picture.sheet); note(`${picture.name}: ${spoilt.join("; ")}; hold it there again`, "retake"); say("once more", 220); } else note(`${picture.name}, in`, "filed");
      showMissing();
    } catch {
      showQueue();
      await new Promise((go) => setTimeout(go, AGAIN_MS));
    }
    showQueue();
  }
  sending = false;
}

function note(text, kind) {
  $("taken").prepend(el("li", { class: `page ${kind}` }, text));
}

// ---- a sound and a word
function say(word, pitch) {
  const now = performance.now();
  if (word === lastWord && now - lastSaid < AGAIN_MS) return;
  lastWord = word; lastSaid = now;
  $("word").textContent = word;
  if (!pitch || !$("sound").checked || !audio) return;
  const tone = audio.createOscillator(), loud = audio.createGain();
  tone.frequency.value = pitch; loud.gain.value = 0.2;
  tone.connect(loud).connect(audio.destination);
  tone.start(); tone.stop(audio.currentTime + 0.12);
}

// ---- the camera
function sheetOf(scale) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(video().videoWidth * scale); canvas.height = Math.round(video().videoHeight * scale);
  return canvas;
}

const blobOf = (canvas, quality) => new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));

const tiny = document.createElement("canvas");
[tiny.width, tiny.height] = TINY;

function tinyPicture() {
  const pen = tiny.getContext("2d", { willReadFrequently: true });
  pen.drawImage(video(), 0, 0, ...TINY);
  return pen.getImageData(0, 0, ...TINY).data;
}

const apart = (one, other) => one && other ? one.reduce((sum, value, at) => sum + Math.abs(value - other[at]), 0) / (3 * TINY[0] * TINY[1]) : Infinity;

function isWorthALook() {
  const now = tinyPicture(), moves = before && apart(now, before) > MOVING;
  before = now;
  if (moves) told = null;
  return sharpest || performance.now() - lookedAt > LONGEST_MS || !(moves || apart(now, told) < ALIKE);
}

async function lookOnce() {
  if (!isWorthALook()) return;
  lookedAt = performance.now();
  const seenNow = before, full = sheetOf(1), small = sheetOf(Math.min(1, LOOK_SIDE / Math.max(video().videoWidth, video().videoHeight)));
  full.getContext("2d").drawImage(video(), 0, 0); // the very picture that is looked at is the one that is taken
  small.getContext("2d").drawImage(full, 0, 0, small.width, small.height);
  const response = await fetch(`/api/capture/look?scale=${full.width / small.width}`, { method: "POST", headers: { "X-Token": meta("token"), "Content-Type": "image/jpeg" }, body: await blobOf(small, LOOK_QUALITY) });
  if (response.status === 401) { location = "/door"; return; }
  const seen = await response.json();
  if (!response.ok) throw new Refusal(response.status, seen);
  if (seen.state === "busy") return;
  drawOutline(seen);
  told = ["take", "again", "late"].includes(seen.state) ? seenNow : null;
  const first = sharpest, isNew = seen.state === "take" && !done.has(seen.sheet), isSame = isNew && Boolean(first) && first.seen.sheet === seen.sheet;
  sharpest = isNew && !isSame ? { full, seen } : null;
  if (isSame && seen.sharpness > first.seen.sharpness) take(full, seen); // the next look need not wait for it
  else if (first) take(first.full, first.seen);
  else if (seen.state === "take" && !isNew) say(`${seen.name}: already in`, 440);
  else if (seen.word) say(seen.name ? `${seen.name}: ${seen.word}` : seen.word, seen.state === "again" ? 440 : 260);
}

async function take(full, seen) {
  done.set(seen.sheet, seen.name);
  say(`${seen.name}, in`, 880);
  if (navigator.vibrate) navigator.vibrate(60);
  const picture = { key: `${seen.sheet} ${crypto.getRandomValues(new Uint32Array(4)).join("-")}`, here: THIS_EVENT, sheet: seen.sheet, name: seen.name, file: `${seen.sheet}.jpg`, blob: await blobOf(full, QUALITY) };
  queue.push(picture);
  inStore((store) => store.put(picture)).catch(() => {});
  showQueue();
  sendQueue();
}

function drawOutline(seen) {
  const canvas = $("frame"), pen = canvas.getContext("2d");
  canvas.width = video().clientWidth; canvas.height = video().clientHeight;
  if (!seen.outline.length) return;
  pen.lineWidth = 4;
  pen.strokeStyle = { take: "#1a7f37", again: "#0969da" }[seen.state] || "#bf8700";
  pen.beginPath();
  seen.outline.forEach(([x, y], corner) => pen[corner ? "lineTo" : "moveTo"](x * canvas.width, y * canvas.height));
  pen.closePath(); pen.stroke();
}

// The camera ends when a call comes, another app takes it, or the telephone puts the page aside: that is said, and it is
// opened again as soon as it can be.
const FROZEN_MS = 3000;
let stream = null, muted = 0, chosen = "", isRunning = false, opening = null;
const track = () => (stream ? stream.getVideoTracks()[0] : undefined);
const ofTrack = (what) => (track() && track()[what] ? track()[what]() : {}); // old browsers do not tell
const hasStopped = () => !track() || track().readyState === "ended" || video().paused || (muted && performance.now() - muted > FROZEN_MS);

// One at a time: a camera that is asked for twice is refused as in use by something else.
function openCamera() {
  const mine = opening = (opening || Promise.resolve()).catch(() => {}).then(openNow).finally(() => { if (opening === mine) opening = null; });
  return mine;
}

async function openNow() {
  if (stream) stream.getTracks().forEach((each) => each.stop());
  stream = null; muted = 0;
  const opened = (which) => navigator.mediaDevices.getUserMedia({ video: { ...which, width: { ideal: 3840 }, height: { ideal: 2160 } }, audio: false });
  const behind = { facingMode: "environment" };
  try { stream = await opened(chosen ? { deviceId: { exact: chosen } } : behind); } catch (error) {
    if (!chosen || !["OverconstrainedError", "NotFoundError"].includes(error.name)) throw error;
    chosen = ""; // this lens is gone
    stream = await opened(behind);
  }
  const mine = track();
  mine.addEventListener("mute", () => { if (mine === track()) muted = performance.now(); });
  mine.addEventListener("unmute", () => { if (mine === track()) muted = 0; });
  video().srcObject = stream;
  await video().play();
  await showLenses();
  showLight();
}

// Which lens: telephones have several, and the widest is seldom the sharpest.
async function showLenses() {
  const lenses = (await navigator.mediaDevices.enumerateDevices()).filter((each) => each.kind === "videoinput");
  const now = ofTrack("getSettings").deviceId;
  $("lens").hidden = lenses.length < 2;
  fill($("lens"), lenses.map((each, at) => el("option", { value: each.deviceId, selected: each.deviceId === now }, each.label || `camera ${at + 1}`)));
}

function showLight() {
  const has = Boolean(ofTrack("getCapabilities").torch);
  $("light").hidden = !has;
  $("light").setAttribute("aria-pressed", "false");
}

async function switchLight() {
  const isOn = $("light").getAttribute("aria-pressed") !== "true";
  try {
    await track().applyConstraints({ advanced: [{ torch: isOn }] });
    $("light").setAttribute("aria-pressed", String(isOn));
  } catch { say("the light cannot be switched on", 0); }
}

async function chooseLens() {
  chosen = $("lens").value;
  try { await openCamera(); } catch (error) { say(`this lens could not be opened: ${NOT_OPENED[error.name] || error.name}`, 0); }
}

async function openAgain() {
  say("the camera has stopped: a call, or another app. It is opened again", 220);
  $("view").classList.add("stopped");
  try { await openCamera(); $("view").classList.remove("stopped"); say("the camera is back", 440); } catch (error) {
    say(`the camera has stopped and cannot be opened: ${NOT_OPENED[error.name] || error.name}. It is tried again`, 0);
  }
}

const NOT_OPENED = { NotFoundError: "there is none", NotAllowedError: "this browser may not use it; allow it beside the address, and press again", NotReadableError: "something else is using it" };
async function start() {
  if (!navigator.mediaDevices || !navigator.mediaDevices.getUserMedia) return noCamera("the camera needs an encrypted connection: switch the network on, encrypted, on the page Public");
  if (isRunning) return;
  audio = audio || new AudioContext();
  try { await openCamera(); } catch (error) { return noCamera(`the camera could not be opened: ${NOT_OPENED[error.name] || error.name}`); }
  isRunning = true;
  stayAwake();
  $("start").hidden = true; $("view").hidden = false;
  for (;;) {
    let pause = REST_MS;
    if (document.visibilityState === "visible" && !opening && hasStopped()) {
      await openAgain();
      pause = AGAIN_MS;
    } else if (document.visibilityState === "visible" && video().videoWidth) {
      try { await lookOnce(); } catch (refusal) { say(refusal instanceof Refusal ? refusal.message : "no answer from the desk; pictures are kept, and sent when it is back", 0); pause = AGAIN_MS; }
    }
    await new Promise((go) => setTimeout(go, pause));
  }
}

function noCamera(why) {
  fill($("word"), `${why}. `, el("a", { href: "/upload" }, "Photograph sheets with the camera's own app instead"));
}

async function showMissing() {
  try {
    const { boards } = await ask("/api/capture/missing");
    fill($("missing"), boards.map((each) => el("p", { class: each.missing.length ? "" : "small" }, `board ${each.board} · ${each.phase}: `, each.missing.length ? `${each.missing.length} missing: ${each.missing.join(", ")}` : "all in")));
  } catch { /* the next look tells */ }
}

addEventListener("DOMContentLoaded", () => {
  $("start").addEventListener("click", start);
  $("lens").addEventListener("change", chooseLens);
  $("light").addEventListener("click", switchLight);
  addEventListener("online", sendQueue);
  restoreQueue();
  showMissing();
  setInterval(showMissing, 5000);
});
