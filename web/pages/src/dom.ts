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

/** Append the children that are not empty. */
export function append(element: Element, children: Child[]): void {
  element.append(...children.filter((child): child is Node | string => Boolean(child)));
}
