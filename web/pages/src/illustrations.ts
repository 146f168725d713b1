/** The illustrations of the pages, which are part of the document, so that they have the colours of the theme. */

const files = new Map<string, Promise<string>>();

/** Take over an illustration, which the web SDK has in its package. */
export function addIllustration(address: string, drawing: string): void {
  files.set(address, Promise.resolve(drawing));
}

/** Load an illustration, once. */
export function illustrationAt(address: string): Promise<string> {
  const loaded = files.get(address) ?? fetch(address).then((response) => (response.ok ? response.text() : ""));
  files.set(address, loaded);
  return loaded;
}

/** Put an illustration into its place; reject where it cannot be loaded. */
export async function illustrate(box: HTMLElement, address: string): Promise<void> {
  const { documentElement } = new DOMParser().parseFromString(await illustrationAt(address), "image/svg+xml");
  if (documentElement.nodeName !== "svg") {
    files.delete(address);
    throw new Error("The illustration is not loaded.");
  }
  documentElement.setAttribute("aria-hidden", "true");
  box.append(documentElement);
}
