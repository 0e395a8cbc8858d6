"use strict";
// The picture of a row, cut to its ink: to the right as far as anything stands in it, and of its lines those in which
// something is written, be it in a box or a stroke that is larger than printed letters. The first line, which names the
// unit, always stands there.
const LARGEST = 1.3, MARGIN = 0.03; // screen pixels to a pixel of 200 dpi; kept around the ink, as a share of the picture’s height
const DARK = 190, STROKE = 36; // of 255; pixels of 200 dpi

const wholeOf = (image) => ({ right: image.naturalWidth, strips: [[0, image.naturalHeight]] });
const heightOf = (cut) => cut.strips.reduce((sum, [top, bottom]) => sum + bottom - top, 0);

// What is to be shown of a picture, in its pixels. ``lines``: those of the row, each with its place and its boxes, in percent.
function inkedPart(image, lines) {
  if (!lines.length || !image.naturalWidth) return wholeOf(image);
  const canvas = document.createElement("canvas");
  const width = canvas.width = image.naturalWidth, height = canvas.height = image.naturalHeight;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.drawImage(image, 0, 0);
  const pixels = pen.getImageData(0, 0, width, height).data, isDark = (x, y) => pixels[4 * (y * width + x)] < DARK;
  const across = (share) => Math.round(share * width / 100), down = (share) => Math.round(share * height / 100);
  const isInked = ([left, top, wide, tall]) => { // in a box, away from its edge and from the dots to write on
    let dark = 0;
    for (let x = across(left + wide * 0.2); x < across(left + wide * 0.8); x += 1) for (let y = down(top + tall * 0.15); y < down(top + tall * 0.6); y += 1) dark += isDark(x, y);
    return dark >= 4;
  };
  const [first] = lines, edge = across(first.place[0] + first.place[2]), margin = Math.round(MARGIN * height);
  const rows = lines.map(({ place, boxes }) => ({ top: down(place[1]), bottom: down(place[1] + place[3]), isInked: boxes.some(isInked) }));
  for (const [top, bottom] of strokesIn(isDark, rows[0].top, rows.at(-1).bottom, edge)) for (const row of rows) row.isInked ||= top < row.bottom && bottom >= row.top;
  const isBlank = !rows.some((row) => row.isInked), shown = rows.filter((row, at) => isBlank || row.isInked || !at);
  const strips = [];
  for (const { top, bottom } of shown) {
    if (strips.length && top <= strips.at(-1)[1] + margin) strips.at(-1)[1] = bottom; // it follows the one above
    else strips.push([top, bottom]);
  }
  let right = 0;
  for (let x = 0; x < edge; x += 2) {
    let dark = 0;
    for (const [top, bottom] of strips) for (let y = top + margin; y < bottom - margin; y += 2) dark += isDark(x, y);
    if (dark >= 3) right = x;
  }
  return { right: Math.min(edge, right + 0.02 * width), strips: strips.map(([top, bottom]) => [Math.max(0, top - margin), Math.min(height, bottom + margin)]) };
}

// From where to where each stroke reaches that is larger than a printed letter.
function* strokesIn(isDark, top, bottom, right) {
  const seen = new Uint8Array(right * (bottom - top));
  for (let y = top; y < bottom; y += 1) for (let x = 0; x < right; x += 1) {
    if (seen[(y - top) * right + x] || !isDark(x, y)) continue;
    const wait = [[x, y]], box = [x, y, x, y];
    for (let at; (at = wait.pop());) {
      const [across, down] = at, index = (down - top) * right + across;
      if (across < 0 || across >= right || down < top || down >= bottom || seen[index] || !isDark(across, down)) continue;
      seen[index] = 1;
      box[0] = Math.min(box[0], across); box[1] = Math.min(box[1], down); box[2] = Math.max(box[2], across); box[3] = Math.max(box[3], down);
      for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [-1, -1], [1, -1], [-1, 1]]) wait.push([across + dx, down + dy]);
    }
    if (Math.max(box[2] - box[0], box[3] - box[1]) >= STROKE) yield [box[1], box[3]];
  }
}

// Show strips of a picture below one another, each as its own window on it; between two an empty line is left out.
function showStrips(figure, image, { right, strips }, scale) {
  figure.replaceChildren(...strips.map(([top, bottom], at) => {
    const shown = at ? image.cloneNode() : image, strip = el("div", { class: "inkstrip" }, shown);
    if (at) shown.removeAttribute("id"), shown.alt = "";
    shown.style.height = `${Math.round(image.naturalHeight * scale)}px`;
    shown.style.top = `${-Math.round(top * scale)}px`;
    strip.style.height = `${Math.ceil((bottom - top) * scale)}px`;
    strip.style.width = `${Math.ceil(right * scale)}px`;
    return strip;
  }));
}
