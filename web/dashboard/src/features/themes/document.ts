import type { ThemeDocumentView, ThemeView } from "@/api/schema";

/** All of a theme but the mark of the default one: what its draft and its versions have. */
export type ThemeDocument = ThemeDocumentView;

/** The members of a theme that its document does not have. */
const PLACE: ReadonlySet<string> = new Set([
  "id",
  "project_id",
  "is_default",
  "has_draft",
  "version",
  "created_at",
  "updated_at",
]);

/** Return the document of a live theme. */
export function documentOf(theme: ThemeView): ThemeDocument {
  return Object.fromEntries(Object.entries(theme).filter(([name]) => !PLACE.has(name))) as ThemeDocument;
}

/** The document before the first version. */
export const EMPTY_DOCUMENT: ThemeDocument = {
  name: "",
  description: null,
  colors: {},
  typography: {},
  borderRadius: {},
};

type Members = Record<string, unknown>;

/** Return the value at a path such as `typography.sizes.heading`; undefined without one. */
export function valueAt(document: object, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => {
    return typeof value === "object" && value !== null ? (value as Members)[name] : undefined;
  }, document);
}

/** The objects that a theme always has. */
const LASTING: ReadonlySet<string> = new Set(["colors", "typography", "borderRadius"]);

/** Return a document with another value at a path. An empty value, and an object that it leaves empty, are left out. */
export function withValue<Document extends object>(document: Document, path: string, value: unknown): Document {
  const [name = path, ...rest] = path.split(".");
  const members = document as Members;
  const inner = rest.length > 0 ? withValue(objectOf(members[name]), rest.join("."), value) : value;
  const isEmpty = typeof inner === "object" && inner !== null && Object.keys(inner).length === 0;
  const isBlank = inner === undefined || inner === null || inner === "";
  const isLeftOut = (isBlank && path !== "name") || (isEmpty && !LASTING.has(name));
  const { [name]: _, ...others } = members;
  return (isLeftOut ? others : { ...members, [name]: inner }) as Document;
}

function objectOf(value: unknown): object {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
