"use strict";
// How telephones come in: the code, the address to type, and what to compare.
addEventListener("DOMContentLoaded", async () => {
  try {
    const told = await ask("/api/room");
    $("code").hidden = !told.code;
    if (told.code) { $("code").src = told.code; $("code").alt = told.addresses[0]; }
    $("addresses").replaceChildren(...told.addresses.map((each, number) => el("p", {}, number ? el("small", {}, `on another network: ${each}`) : el("b", {}, each))));
    if (!told.addresses.length) $("addresses").textContent = "only this machine can open these pages: start the review with --lan";
    $("fingerprint").replaceChildren(...(!told.addresses.length ? [] : told.fingerprint
      ? [el("p", {}, "Your browser warns once, for nobody but us vouches for this page. Look at the certificate that it shows: its SHA-256 fingerprint must be"),
        el("p", {}, el("code", {}, told.fingerprint.slice(0, 47)), el("br", {}), el("code", {}, told.fingerprint.slice(48))), el("p", {}, "Then go on. If it is another, somebody is listening: do not type a PIN.")]
      : [el("p", {}, "Plain HTTP: whoever is on this network can read along, PINs too. Use a network of your own, or start the review with --lan --tls.")]));
  } catch (refusal) {
    $("said").hidden = false;
    $("said").textContent = refusal.message;
  }
});
