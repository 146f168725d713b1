/** The sanitiser of custom screens in the preview. The publisher sanitises published pages with the same allow-list. */

const TAGS = new Set(
  (
    "a abbr b blockquote br caption cite code dd del div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd " +
    "li mark ol p pre q s section small span strong sub sup table tbody td tfoot th thead tr u ul"
  ).split(" "),
);
/** Tags that are removed with their text. Other forbidden tags leave their text. */
const DROPPED = new Set("iframe math noscript object script style svg template textarea title".split(" "));
const ATTRIBUTES: Record<string, string[]> = {
  a: ["href"],
  img: ["alt", "height", "src", "width"],
  ol: ["start"],
  td: ["colspan", "rowspan"],
  th: ["colspan", "rowspan", "scope"],
};
const COMMON = ["dir", "lang", "title"];
const ADDRESSES = ["href", "src"];

/** Return HTML without scripts, styles, forms and event handlers; links and images have https addresses only. */
export function sanitizeHtml(html: string): string {
  // The content of a template is inert: nothing in it is loaded, run or applied.
  const template = document.createElement("template");
  template.innerHTML = html;
  clean(template.content);
  return template.innerHTML;
}

function clean(parent: ParentNode): void {
  for (const node of [...parent.childNodes]) {
    if (node instanceof Element) {
      cleanElement(node);
    } else if (node.nodeType !== Node.TEXT_NODE) {
      node.remove();
    }
  }
}

function cleanElement(element: Element): void {
  const name = element.localName;
  if (DROPPED.has(name)) {
    element.remove();
    return;
  }
  clean(element);
  if (!TAGS.has(name)) {
    element.replaceWith(...element.childNodes);
    return;
  }
  const allowed = [...COMMON, ...(ATTRIBUTES[name] ?? [])];
  for (const { name: attribute, value } of [...element.attributes]) {
    const isForeign = ADDRESSES.includes(attribute) && !/^\s*https:/i.test(value);
    if (isForeign || !allowed.includes(attribute)) {
      element.removeAttribute(attribute);
    }
  }
  if (name === "a") {
    element.setAttribute("rel", "noopener noreferrer");
  }
}
