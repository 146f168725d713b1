import { type ReactNode, useState } from "react";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import type { Change, FlowDocument } from "../document";
import { readersOf, usesOf, withVariables } from "./names";
import { variableTexts as words } from "./texts";

const Confirm = lazyDialog(async () => (await import("@/ui/feedback/Confirm")).Confirm);

interface Removal {
  /** Delete a variable, after a question if it is used. */
  attempt: (place: number) => void;
  question: ReactNode;
}

/** Guard the variables of a flow: the deletion of one that is used says first what misses it. */
export function useRemoval(document: FlowDocument, change: Change): Removal {
  const { variables = [] } = document;
  const [asked, setAsked] = useState<string | null>(null);
  const remove = (name: string) =>
    change(
      withVariables(
        document,
        variables.filter((variable) => variable.name !== name),
      ),
    );
  const attempt = (place: number) => {
    const name = variables[place]?.name ?? "";
    if (usesOf(document, name).length > 0) {
      setAsked(name);
    } else {
      remove(name);
    }
  };
  const readers = asked === null ? [] : readersOf(document, asked);
  const question = asked !== null && (
    <Confirm
      title={words.removeTitle(asked)}
      text={readers.length > 0 ? words.removeReaders(readers) : words.removeText(asked, usesOf(document, asked))}
      action={words.removeAction}
      isDestructive={false}
      // The service refuses a formula with a name that nothing has.
      isReady={readers.length === 0}
      onConfirm={async () => remove(asked)}
      onClose={() => setAsked(null)}
    />
  );
  return { attempt, question };
}
