/** Waits that count only while the page is visible, so that nothing goes on behind another app. */

const followers = new Set<() => void>();
let isPaused = false;

/** Count no time while the app says that the user cannot see the page, although it is visible. */
export function pause(value: boolean): void {
  isPaused = value;
  for (const follow of followers) {
    follow();
  }
}

/** Call back after a time in which the page is visible. Return a function that ends the wait. */
export function afterVisible(milliseconds: number, callback: () => void): () => void {
  let left = milliseconds;
  let since = 0;
  let timer: number | undefined;
  const run = () => {
    since = performance.now();
    timer = isPaused || document.visibilityState === "hidden" ? undefined : window.setTimeout(finish, left);
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
    followers.delete(follow);
  };
  const finish = () => {
    stop();
    callback();
  };
  document.addEventListener("visibilitychange", follow);
  followers.add(follow);
  run();
  return stop;
}
