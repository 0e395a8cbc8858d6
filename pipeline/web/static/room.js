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
    showPeople(told.people);
  } catch (refusal) {
    say(refusal.message);
  }
});

function say(text) {
  $("said").hidden = false;
  $("said").textContent = text;
}

// Who may come in, who is in, and the button that sends somebody away: his browsers are out, and his PIN is another.
function showPeople(people) {
  $("people").replaceChildren(el("h2", {}, "Who may come in"), ...people.map((each) => el("p", {},
    `${each.name} (${each.role}): ${each.browsers === 1 ? "1 browser is in" : `${each.browsers} browsers are in`} `,
    el("button", { type: "button", "aria-label": `send ${each.name} away`, onclick: () => sendAway(each) }, "send away"))));
}

async function sendAway(person) {
  if (!confirm(`Send ${person.name} (${person.role}) away? All browsers of this name but yours come in again only with a new PIN.`)) return;
  try {
    const { pin } = await ask("/api/room/away", { name: person.name, role: person.role });
    say(`${person.name} (${person.role}) was sent away; the new PIN is ${pin}`);
    showPeople((await ask("/api/room")).people);
  } catch (refusal) {
    say(refusal.message);
  }
}
