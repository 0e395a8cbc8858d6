"use strict";
// Pictures and files that the desk has not answered for are kept in this browser: the page may be another one by the time
// it is back, as who had logged in before must do so again. Every page that hands in sends them.
const THIS_EVENT = `${location.host} ${meta("event")}`;
const inStore = (work) => new Promise((resolve, reject) => {
  const opened = indexedDB.open("capture", 1);
  opened.onupgradeneeded = () => opened.result.createObjectStore("pictures", { keyPath: "key" });
  opened.onerror = () => reject(opened.error);
  opened.onsuccess = () => {
    const asked = work(opened.result.transaction("pictures", "readwrite").objectStore("pictures"));
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  };
});
const keptHere = async () => (await inStore((store) => store.getAll())).filter((each) => each.here === THIS_EVENT);
