// For browsers that do not know all of the script of the screen, such as televisions of 2019 to 2022: where it has not drawn
// a slide, the page is loaded anew with the next one, as soon as the desk answers. Nothing here is newer than ES5.
(function (own) {
  var after = 1000 * Number(own.getAttribute("data-every")), next = "/screen?slide=" + own.getAttribute("data-next");
  function wait() { window.setTimeout(turn, after); }
  function turn() {
    if (window.hasDrawn) return;
    var asked = new XMLHttpRequest();
    asked.open("GET", next);
    asked.onload = function () { if (asked.status === 200) window.location.replace(next); else wait(); };
    asked.onerror = wait;
    asked.send();
  }
  wait();
})(document.currentScript);
