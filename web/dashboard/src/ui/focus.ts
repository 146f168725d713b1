/** The element of the view that had the focus last. Dialogs and menus are in another part of the page. */
let last: HTMLElement | null = null;

document.addEventListener("focusin", ({ target }) => {
  if (target instanceof HTMLElement && !target.closest("#overlays")) {
    last = target;
  }
});

/** Focus the element that opened what has closed, or the view if it is gone; nothing if the focus is elsewhere. */
export function returnFocus(): void {
  if (document.activeElement === null || document.activeElement === document.body) {
    (last?.isConnected ? last : document.getElementById("content"))?.focus({ preventScroll: true });
  }
}
