/** Waits that count only while the page is visible, so that nothing goes on behind another app. */

/** Call back after a time in which the page is visible. Return a function that ends the wait. */
export function afterVisible(milliseconds: number, callback: () => void): () => void {
  let left = milliseconds;
  let since = 0;
  let timer: number | undefined;
  const run = () => {
    since = performance.now();
    timer = document.visibilityState === "hidden" ? undefined : window.setTimeout(finish, left);
  };
  const follow = () => {
    if (timer !== undefined) {
      window.clearTimeout(timer);
      left -= performance.now() - since;
    }
    run();
  };
  const stop = () => {
    window.clearTimeout(timer);
    document.removeEventListener("visibilitychange", follow);
  };
  const finish = () => {
    stop();
    callback();
  };
  document.addEventListener("visibilitychange", follow);
  run();
  return stop;
}
