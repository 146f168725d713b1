/** Creation of elements without HTML strings, so that texts of customers never become markup. */

export type Child = Node | string | null | undefined | false;
type Properties = Record<string, string | number | boolean | EventListener | null | undefined>;

/** Return an element. Functions become listeners, true an empty attribute; null, undefined and false are left out. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === "function") {
      element.addEventListener(key, value);
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(key, value === true ? "" : String(value));
    }
  }
  append(element, children);
  return element;
}

/** Return whether a key was Enter; the Enter that ends the conversion of an input method is none. */
export function isEnter(event: Event): boolean {
  const { key, isComposing, keyCode } = event as KeyboardEvent;
  return key === "Enter" && !isComposing && keyCode !== 229;
}

/** Replace the content of an element. `replaceChildren` is missing before WebView 86. */
export function replaceContent(element: Element, content: Node): void {
  element.textContent = "";
  element.append(content);
}

/** Append the children that are not empty. */
export function append(element: Element, children: Child[]): void {
  element.append(...children.filter((child): child is Node | string => Boolean(child)));
}
