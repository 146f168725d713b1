/** Identifiers. */

/** Return a random UUID. It is no secret, so it needs no cryptography, which React Native lacks. */
export function newId(): string {
  return "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx".replace(/[xy]/g, (place) => {
    const digit = Math.floor(Math.random() * 16);
    return (place === "x" ? digit : (digit & 3) | 8).toString(16);
  });
}
