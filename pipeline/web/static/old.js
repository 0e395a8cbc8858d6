// For browsers that do not know the script of the screen, such as televisions with Chrome 76: the page is loaded anew, with
// the next slide. This file uses nothing that is newer than ES5.
(function (own) {
  window.setTimeout(function () {
    if (!window.drawScreen) window.location.replace("/screen?slide=" + own.getAttribute("data-next"));
  }, 1000 * Number(own.getAttribute("data-every")));
})(document.currentScript);
