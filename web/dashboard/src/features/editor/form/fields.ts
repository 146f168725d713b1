import { editorTexts } from "@/features/editor/texts";
import type { Content } from "../document";

const words = editorTexts.fields;

/** A field of the form for a screen; `path` is a member of the content, by the schema of contents. */
export type Field<Path extends string = string> =
  | {
      kind: "text" | "long" | "json" | "image" | "icon" | "illustration" | "file" | "background";
      path: Path;
      label: string;
      help?: string;
    }
  /** A text with an entry of a list on each line. */
  | { kind: "lines"; path: Path; label: string; help?: string }
  /** `between`: the limits that the service checks. */
  | { kind: "number"; path: Path; label: string; help?: string; between?: readonly [number, number] }
  /** `standard` is the value of a content without the member. */
  | { kind: "toggle"; path: Path; label: string; standard?: boolean; help?: string }
  /** `known`: pages know no other value. */
  | {
      kind: "select";
      path: Path;
      label: string;
      options: readonly string[];
      known?: readonly string[];
      help?: string;
      clearable?: boolean;
      isNumber?: boolean;
      /** The labels of options whose own differ from those of other fields. */
      names?: Readonly<Record<string, string>>;
    }
  /** A label for each of some keys; a key without one is absent. */
  | { kind: "labels"; path: Path; label: string; help?: string; keys: readonly { key: string; label: string }[] }
  /** `asks`: pages ask the app before they go on, as on a sign-up. */
  | { kind: "button"; path: Path; label: string; asks?: boolean }
  /** `read` returns the entries that pages show. */
  | { kind: "texts"; path: Path; label: string; add: string; read: (list: unknown[]) => unknown[]; blank?: Content }
  | {
      kind: "list";
      path: Path;
      label: string;
      add: string;
      read: (list: unknown[]) => unknown[];
      item: readonly Field[];
      /** Return the name of an entry that has none. */
      nameOf?: (label: string) => string;
      /** The number of entries at the most. */
      max?: number;
      /** The number of fields that are always in sight. */
      brief: number;
      blank: Content;
      /** What a copy of an entry may not share with it. */
      unique: Content;
    };

export const text = <Path extends string>(path: Path, label: string, help?: string): Field<Path> => ({
  kind: "text",
  path,
  label,
  help,
});
export const long = <Path extends string>(path: Path, label: string, help?: string): Field<Path> => ({
  kind: "long",
  path,
  label,
  help,
});
export const number = <Path extends string>(path: Path, label: string, help?: string): Field<Path> => ({
  kind: "number",
  path,
  label,
  help,
});
export const toggle = <Path extends string>(path: Path, label: string, standard = false): Field<Path> => ({
  kind: "toggle",
  path,
  label,
  standard,
});

export const TITLE = text("title", words.title, words.titleHelp);
export const SUBTITLE = long("subtitle", words.subtitle);
export const DESCRIPTION = long("description", words.description);
export const IMAGE: Field<"image_url"> = {
  kind: "image",
  path: "image_url",
  label: words.image,
  help: words.imageHelp,
};
export const ICON: Field<"icon"> = { kind: "icon", path: "icon", label: words.icon, help: words.iconHelp };
export const ILLUSTRATION: Field<"illustration"> = {
  kind: "illustration",
  path: "illustration",
  label: words.illustration,
  help: words.illustrationHelp,
};
export const LEGAL = long("legal_text", words.legal);
