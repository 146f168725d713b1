import { type ReactNode, useState } from "react";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import { type Change, type FlowDocument, type FlowScreen, screenName } from "../document";
import { namesOf, ruleInWords, rulesInTheWay, type WrongRule, withoutRules } from "./rules";
import { logicTexts } from "./texts";

const Confirm = lazyDialog(async () => (await import("@/ui/feedback/Confirm")).Confirm);
const words = logicTexts.inTheWay;

type Kind = "move" | "remove";
interface Question {
  kind: Kind;
  screen: FlowScreen;
  changed: FlowDocument;
  rules: readonly WrongRule[];
  then: () => void;
}

interface InTheWay {
  /** Move or remove a screen, after a question if rules of other screens are in the way. */
  attempt: (kind: Kind, screen: FlowScreen, changed: FlowDocument, then?: () => void) => void;
  question: ReactNode;
}

/** Guard the rules of a flow: a move that leads them backward, or a deletion of their target, is asked for first. */
export function useInTheWay(document: FlowDocument, change: Change): InTheWay {
  const [asked, setAsked] = useState<Question | null>(null);
  const attempt: InTheWay["attempt"] = (kind, screen, changed, then = () => undefined) => {
    const rules = rulesInTheWay(document, changed);
    if (rules.length > 0) {
      setAsked({ kind, screen, changed, rules, then });
    } else {
      change(changed);
      then();
    }
  };
  const question = asked && (
    <Confirm
      title={words[asked.kind](screenName(asked.screen))}
      text={reasonInWords(asked.rules, document)}
      action={words.action(asked.kind, asked.rules.length)}
      isDestructive={false}
      onConfirm={async () => {
        // One step, so that one undo brings back the screen and its rules.
        change(withoutRules(asked.changed, asked.rules));
        asked.then();
      }}
      onClose={() => setAsked(null)}
    />
  );
  return { attempt, question };
}

/** Return why rules are in the way, and which ones. */
function reasonInWords(rules: readonly WrongRule[], document: FlowDocument): string {
  const names = namesOf(document);
  const inWords = rules.map(({ screen, rule }) => logicTexts.words.from(screenName(screen), ruleInWords(rule, names)));
  return `${rules.every(({ isBackward }) => isBackward) ? words.backward : words.gone} ${inWords.join("; ")}.`;
}
