/** The channel between the tabs of this origin. Only scripts of this origin hear it, as with its storage. */
const CHANNEL = "development-session";
/** Tabs answer at once, unless they are frozen. */
const ANSWER_MILLISECONDS = 400;

/** What tabs tell each other: one asks for a token, another one has it, or its user has signed out. */
type Message = "asked" | "signed_out" | { token: string };

/** Return the token of another tab; null if none has answered in time. */
export function tokenOfAnotherTab(): Promise<string | null> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise<string | null>((resolve) => {
    setTimeout(() => resolve(null), ANSWER_MILLISECONDS);
    channel.onmessage = ({ data }: MessageEvent<Message>) => typeof data === "object" && resolve(data.token);
    channel.postMessage("asked" satisfies Message);
  }).finally(() => channel.close());
}

/** Give the token to tabs that ask, as long as there is one. Return a function that tells them of a sign-out. */
export function shareToken(token: () => string | null, onSignedOut: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    const present = token();
    if (data === "asked" && present !== null) {
      channel.postMessage({ token: present } satisfies Message);
    } else if (data === "signed_out") {
      onSignedOut();
    }
  };
  return () => channel.postMessage("signed_out" satisfies Message);
}
