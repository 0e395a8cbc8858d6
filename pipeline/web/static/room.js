"use strict";
// How telephones come in: the code, the address to type, and what to compare; the PIN of each helper; the players' code.

async function tell() {
  const told = await ask("/api/room");
  sees(told);
  $("code").hidden = !told.code;
  if (told.code) { $("code").src = told.code; $("code").alt = told.addresses[0]; }
  fill($("addresses"), ...told.addresses.map((each, number) => el("p", {}, number ? el("small", {}, `On another network: ${each}`) : el("b", {}, each))));
  keepFocus(() => drawNetwork(told));
  fill($("fingerprint"), ...(!told.addresses.length ? [] : told.fingerprint
    ? [el("p", {}, "The browser warns once, because the certificate is self-signed. Look at the certificate that it shows: its SHA-256 fingerprint must be"),
      el("p", {}, el("code", {}, told.fingerprint.slice(0, 47)), el("br", {}), el("code", {}, told.fingerprint.slice(48))), el("p", {}, "Then go on. If it is another, somebody is listening: do not type a PIN.")]
    : [el("p", {}, "Everybody on this network can read the traffic, PINs too. Use a network of your own, or switch it off and on again, encrypted.")]));
  const name = el("input", { "aria-label": "name of the helper", placeholder: "Name", autocomplete: "off" });
  const role = el("select", { "aria-label": "what the helper may do" }, told.roles.map(([value, words]) => el("option", { value, selected: value === "assistant" ? "" : null }, asSentence(words))));
  const send = async (made, body) => {
    try {
      const { asks } = await ask("/api/room/add", body);
      if (!asks?.length) return await tell();
      made.after(el("span", { class: "row" }, `Is ${body.name} a player? Players see no rows of their own boards.`,
        ...asks.map((each) => button(`This is ${each}`, (pressed) => send(pressed, { ...body, name: each }))),
        button(`${body.name} is somebody else`, (pressed) => send(pressed, { ...body, other: true }))));
    } catch (refusal) { refuseAt(made, refusal); }
  };
  const add = (made) => send(made, { name: name.value, role: role.value });
  const taken = (seat) => seat.meant.length ? [el("span", {}, `Taken for ${seat.meant.join(", ")}: sees no rows of their boards`), button("Somebody else", (made) => send(made, { name: seat.name, role: seat.role, other: true }), { "aria-label": `${seat.name} is somebody else` })] : [];
  keepFocus(() => fill($("helpers"), ...told.seats.map((seat) => el("div", { class: "row" }, el("b", {}, seat.name), el("span", {}, seat.may), ...taken(seat), el("span", {}, "PIN ", el("code", {}, seat.pin)), el("span", {}, seat.browsers === 1 ? "1 browser is logged in" : `${seat.browsers} browsers are logged in`), button("Log out", () => sendAway(seat), { "aria-label": `log out ${seat.name}` }))), el("div", { class: "row" }, name, role, button("Add a helper", add))));
}

// The network, on or off: a helper's camera works only where it is encrypted.
function drawNetwork(told) {
  const place = $("network"), isOn = told.addresses.length > 0;
  const turn = async (made, body) => { try { await ask("/api/room/network", body); await tell(); await tellPlayers(); } catch (refusal) { refuseAt(made, refusal); } };
  if (isOn) return fill(place, el("div", { class: "row" }, "The network is on.", button("Switch it off", (made) => turn(made, { on: false }))));
  const address = el("select", { "aria-label": "network" }, told.networks.map((each) => el("option", { value: each }, each)));
  const encrypted = el("input", { type: "checkbox", checked: "" });
  fill(place, el("p", {}, "The network is off: only this machine can open these pages."),
    told.networks.length ? el("div", { class: "row" }, told.networks.length > 1 && !told.fixed ? field("This machine’s address", address) : null, told.fixed ? null : el("label", {}, encrypted, " Encrypted: a telephone can be the scanner, and nobody reads along; it warns once"), button("Switch it on", (made) => turn(made, { on: true, address: address.value, encrypted: told.fixed ? told.fixed === "encrypted" : encrypted.checked }), { class: "main" }))
      : el("p", { class: "bad" }, "This machine is in no network: join a network, and reload this page."));
}

// His browsers are out, and his PIN is another.
async function sendAway(seat) {
  if (!confirm(`Log out ${seat.name} (${seat.role})? All browsers of this name but yours then need a new PIN.`)) return;
  try {
    const { pin } = await ask("/api/room/away", { name: seat.name, role: seat.role });
    said(`${seat.name} (${seat.role}) is logged out; the new PIN is ${pin}`, true);
    await tell();
  } catch (refusal) { said(refusal.message); }
}

async function tellPlayers() {
  const { address } = await ask("/live/where");
  $("live").hidden = !address;
  if (address) $("live").src = `/live/qr.svg?${encodeURIComponent(address)}`;
  $("where").textContent = address || "Their address is known once the network is on, or when it is set under Settings on the page Round.";
}

addEventListener("DOMContentLoaded", async () => {
  $("live").addEventListener("error", () => { $("live").hidden = true; });
  try { await tell(); await tellPlayers(); } catch (refusal) { said(refusal.message); }
});
