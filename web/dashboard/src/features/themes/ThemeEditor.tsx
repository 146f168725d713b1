import type { DraftStore } from "@/features/editor/draft/draftStore";
import { useDraft } from "@/features/editor/draft/useDraft";
import type { ThemeDocument } from "./document";
import type { EditedTheme } from "./queries";
import { ThemeForm } from "./ThemeForm";
import { ThemeHeader } from "./ThemeHeader";
import { ThemeScreens } from "./ThemeScreens";
import classes from "./ThemeScreens.module.css";

export type ThemeStore = DraftStore<ThemeDocument, EditedTheme>;

/** The editor of a theme: its form, and screens in its look beside it. It saves the draft itself. */
export function ThemeEditor({ store }: { store: ThemeStore }) {
  const { document, state, stored } = useDraft(store);
  return (
    <>
      <ThemeHeader store={store} />
      <div className={classes.editor}>
        <ThemeForm
          document={document}
          errors={state.kind === "failed" ? state.details : []}
          disabled={false}
          onChange={(changed, field) => store.change(changed, field)}
        />
        <ThemeScreens theme={stored.theme} document={document} />
      </div>
    </>
  );
}
