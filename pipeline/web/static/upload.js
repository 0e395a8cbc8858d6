"use strict";
// Files are sent one by one; what became of each stays on the page, and "retake" is said at once.
const sent = new Map(); // sha256 -> what the server said when the file came: name, spoilt, again, retake

const BUSY = 503, AGAIN_MS = 3000; // many files are coming in: this one is sent again
const OTHER = 403; // the page is of another event, or of before a log-in: it is sent when its own is loaded

const PAGES = { 401: "/door", 410: "/events" }; // the desk was started again: log in, or open the event; what is kept is sent from there

const pictureOf = (file) => ({ key: `${file.name} ${Math.random()}`, here: THIS_EVENT, name: file.name, file: file.name, blob: file });

async function keepAll(pictures) {
  try { for (const each of pictures) await inStore((store) => store.put(each)); return true; } catch { return false; } // no store on this browser
}

// Whoever leaves the page before everything is sent is asked, unless this browser keeps what is left.
const unsent = new Set();
addEventListener("beforeunload", (event) => { if (unsent.size) event.preventDefault(); });

let onTheirWay = 0; // files of this page that did not arrive yet
const countComing = (more) => { onTheirWay += more; document.dispatchEvent(new Event("sending")); };

async function handIn(pictures, wereKept = false) {
  let areKept = wereKept;
  countComing(pictures.length);
  if (!areKept) for (const each of pictures) unsent.add(each);
  for (const [at, picture] of pictures.entries()) {
    const line = el("div", { class: "page waits" }, `… ${picture.file} is on its way${at + 1 < pictures.length ? `, and ${pictures.length - at - 1} behind it` : ""}`);
    $("fates").prepend(line);
    const form = new FormData();
    form.append("files", picture.blob, picture.file);
    try {
      const send = () => fetch("/api/upload", { method: "POST", headers: { "X-Token": meta("token") }, body: form }).catch(() => null); // null: no answer
      let response = await send();
      while (!response || response.status === BUSY) { // whatever was kept already counts once
        if (!response && (areKept ||= await keepAll(pictures.slice(at)))) for (const each of pictures) unsent.delete(each);
        line.textContent = response ? `… ${picture.file} waits: many files are coming in` : `… ${picture.file} waits: no answer from the desk; ${areKept ? "it is kept in this browser, and sent when the desk is back" : "it is sent when the desk is back; keep this page open"}`;
        await new Promise((done) => setTimeout(done, AGAIN_MS));
        response = await send();
      }
      if (PAGES[response.status] && (areKept ||= await keepAll(pictures.slice(at)))) { unsent.clear(); location = PAGES[response.status]; return; }
      const answer = await response.json();
      if (areKept && response.status !== OTHER) await inStore((store) => store.delete(picture.key)).catch(() => {});
      if (!response.ok) throw new Refusal(response.status, answer);
      line.remove();
      for (const kept of answer.kept) sent.set(kept.sha256, kept);
      await tellFates();
    } catch (refusal) {
      line.className = "page retake";
      line.textContent = `✗ ${picture.file}: ${refusal instanceof Refusal ? refusal.message : "not sent; send it again"}`;
    }
    unsent.delete(picture);
    countComing(-1);
  }
}

// A tick is for a sheet that counts now; one that was not expected is said as what it is.
function markOf(page, again) {
  if (page.retake) return ["retake", "↻ RETAKE"];
  if (page.tray !== "filed") return ["waits", "?"];
  if (again) return ["waits", "≡ this file came in before, and counts once:"];
  return page.timing ? ["waits", `≠ ${page.timing}:`] : ["filed", "✓"];
}

// Of a file with many pages, those with which nothing is wrong are one line.
const FEW_PAGES = 3;
function fateOf(file, name, spoilt, again, retake) {
  if (spoilt.length && !retake && !file?.pages.length) return el("div", { class: "page waits" }, `? ${name}: ${spoilt.join("; ")}`);
  if (spoilt.length && retake) {
    const filed = file?.pages.filter((page) => page.tray === "filed").map((page) => page.text).join("; ");
    return el("div", { class: "page retake" }, `↻ RETAKE ${name}: ${spoilt.join("; ")}${filed ? ` (filed all the same: ${filed})` : ""}`);
  }
  const before = file?.before ? `${file.before} ${file.before === 1 ? "file is" : "files are"} read before it` : "being read";
  if (!file?.pages.length) return el("div", { class: "page waits" }, `✓ kept: ${name} … ${before}`);
  const clean = again || file.pages.length <= FEW_PAGES ? [] : file.pages.filter((page) => page.clean), line = (page) => {
    const [kind, mark] = markOf(page, again);
    return el("div", { class: `page ${kind}` }, `${mark} ${name}${file.pages.length > 1 ? ` page ${page.page}` : ""}: ${page.text}`);
  };
  return el("div", {}, file.pages.filter((page) => !clean.includes(page)).map(line), clean.length ? el("details", { class: "kept" }, el("summary", {}, `✓ ${name}: ${clean.length} of ${file.pages.length} ${file.pages.length === 1 ? "page is" : "pages are"} in`), clean.map(line)) : null);
}

// Of many files, too, those with which nothing is wrong are one line.
const ALL = "all", isClean = (file, kept) => Boolean(file?.pages.length) && !kept.again && !kept.spoilt.length && file.pages.every((page) => page.clean);
function showClean(clean, isOpen) {
  const pages = clean.reduce((sum, [count]) => sum + count, 0), lines = clean.map(([, made]) => made);
  if (pages <= FEW_PAGES) return $("fates").append(...lines);
  $("fates").append(el("div", { "data-sha": ALL }, el("details", { class: "kept", open: isOpen ? "" : null }, el("summary", {}, `✓ ${pages} ${pages === 1 ? "page is" : "pages are"} in`), lines)));
}

async function tellFates() {
  if (!sent.size) return;
  try {
    const answer = await ask(`/api/fate?of=${[...sent.keys()].join(",")}`);
    const found = new Map(answer.files.map((file) => [file.sha256, file]));
    const open = new Set([...$("fates").querySelectorAll("[data-sha]:has(> details[open])")].map((old) => old.dataset.sha));
    $("fates").querySelectorAll("[data-sha]").forEach((old) => old.remove());
    const clean = [];
    for (const [sha, kept] of sent) {
      const file = found.get(sha), made = fateOf(file, kept.name, kept.spoilt, kept.again, kept.retake);
      made.dataset.sha = sha;
      if (open.has(sha)) made.querySelector("details").open = true;
      if (isClean(file, kept)) clean.unshift([file.pages.length, made]);
      else $("fates").prepend(made);
    }
    showClean(clean, open.has(ALL));
    uploadSaid(answer.failed);
  } catch (refusal) {
    uploadSaid(refusal.message);
  }
}

// The page Round has a line of its own for this.
function uploadSaid(text) {
  const line = $("upload-said") ?? $("said");
  line.hidden = !text;
  line.textContent = text;
}

// Pictures that are dropped anywhere on the page are handed in; a browser would else open them in its place.
function takeDrops() {
  const has = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => { if (has(event)) { event.preventDefault(); $("drop").classList.add("over"); } });
  addEventListener("dragleave", () => $("drop").classList.remove("over"));
  addEventListener("drop", (event) => { if (has(event)) { event.preventDefault(); $("drop").classList.remove("over"); handIn([...event.dataTransfer.files].map(pictureOf)); } });
}

addEventListener("DOMContentLoaded", () => {
  $("files").addEventListener("change", () => { const pictures = [...$("files").files].map(pictureOf); $("files").value = ""; handIn(pictures); });
  takeDrops();
  keptHere().then((pictures) => handIn(pictures, true), () => {}); // none where this browser has no store
  $("camera")?.addEventListener("change", () => { if ($("camera").checked) $("files").setAttribute("capture", "environment"); else $("files").removeAttribute("capture"); });
  setInterval(tellFates, 2500);
});
