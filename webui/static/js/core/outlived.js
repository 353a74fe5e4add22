// Another version of the program serves the table than made this page: it begins again as soon as nobody is in the middle of something.

const LOOK_MS = 500;
const OPEN = "dialog[open], .fix, .entry, .picker";

/** Whether somebody has typed something that is not sent yet. */
const typed = () => [...document.querySelectorAll("input, textarea")].some((one) => one.value !== one.defaultValue);

export function start() {
  setInterval(() => { if (!document.querySelector(OPEN) && !typed()) location.reload(); }, LOOK_MS);
}
