import { withTrees } from "@onboarding/flow/parser";
import type { DocumentView, MediaView, ThemeView } from "@/api/schema";
import { withFiles, withFonts } from "@/features/media/references";

export interface PreviewedFlow {
  projectId: string;
  projectName: string;
  flowId: string;
  document: Pick<DocumentView, "name" | "screens" | "variables">;
  theme: ThemeStyle | null;
  /** The language of the texts; without it that of the device. */
  locale?: string | undefined;
}

/** What pages see of a theme: the members of `common/wire/theme_members.json`, as a test demands. */
export const STYLE = [
  "colors",
  "typography",
  "borderRadius",
  "appearance",
  "background",
  "logo",
  "button",
  "choice",
  "progress",
  "transition",
  "spacing",
] as const;
export type ThemeStyle = Pick<ThemeView, (typeof STYLE)[number]>;

/** Return the members of a theme that pages see, with files of the media library. */
function styleOf(theme: ThemeStyle, files: ReadonlyMap<string, MediaView>): object {
  const set = STYLE.filter((name) => theme[name] !== undefined).map((name) => [name, theme[name]]);
  return { ...withFiles(Object.fromEntries(set), files), typography: withFonts(theme.typography, files) };
}

/** Return a screen as pages get it: in one language. Translations name no files, and may be most of a document. */
export function withoutTranslations<Screen extends object>(screen: Screen): Screen {
  return { ...screen, localizations: undefined };
}

/** Return the document in the form of a hosted page, with these files of the media library. */
export function pageDocument(
  { projectId, projectName, flowId, document, theme }: PreviewedFlow,
  files: ReadonlyMap<string, MediaView> = new Map(),
) {
  const { name, screens, variables } = document;
  return {
    version: 1,
    mode: "preview",
    projectId,
    projectName,
    flowId,
    flowName: name,
    theme: theme && styleOf(theme, files),
    screens: screens.map(withoutTranslations).map(({ show_if, next, ...screen }) => ({
      ...withFiles(screen, files),
      showIf: show_if,
      next: next?.map(({ go_to, ...rule }) => ({ ...rule, goTo: go_to })),
    })),
    // The page has no parser of formulas.
    variables: withTrees(variables),
    recordAnswers: false,
    analyticsEnabled: false,
  };
}
