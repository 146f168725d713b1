import { Text, Textarea, TextInput, type TextInputProps } from "@mantine/core";
import { createContext, useContext, useRef } from "react";
import type { FlowDocument } from "../document";
import { InsertName } from "./InsertName";
import { hasNames, namesForTexts, type TextProblem, textProblems } from "./names";

/** The screen whose texts are edited; null for texts without names. */
export const TextsOf = createContext<{ document: FlowDocument; screenId: string } | null>(null);

type Common = "label" | "aria-label" | "description" | "error" | "disabled" | "flex";
interface TextFieldProps extends Pick<TextInputProps, Common> {
  /** The path of the member of the content. */
  "data-member": string;
  value: string;
  isLong?: boolean;
  onChange: (value: string) => void;
}

/** A text of a screen. A menu inserts names, and those that show nothing are underlined, with the reason. */
export function TextField({ isLong = false, description, disabled, onChange, ...input }: TextFieldProps) {
  const screen = useContext(TextsOf);
  const line = useRef<HTMLInputElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const names = screen !== null && hasNames(input["data-member"].replace(/^.*\./, "")) ? screen : null;
  const problems = names && input.value.includes("{{") ? textProblems(input.value, names.document, names.screenId) : [];
  const shared = {
    ...input,
    disabled,
    description: problems.length > 0 ? <Problems problems={problems} /> : description,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
    rightSection:
      names === null || disabled ? undefined : (
        <InsertName
          hasFormats
          namesOf={() => namesForTexts(names.document, names.screenId)}
          input={isLong ? area : line}
          wrap={(name) => [`{{${name}|`, "}}"]}
          onInsert={onChange}
        />
      ),
  };
  return isLong ? (
    <Textarea {...shared} ref={area} autosize minRows={2} maxRows={12} />
  ) : (
    <TextInput {...shared} ref={line} />
  );
}

/** Parts of a text that are underlined, each with the reason. */
function Problems({ problems }: { problems: readonly TextProblem[] }) {
  return problems.map(({ text, reason }, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text
    <Text key={place} component="span" display="block" size="xs" c="var(--app-warning)">
      <Marked>{text}</Marked> {reason}
    </Text>
  ));
}

/** A text with a wavy line below. */
export function Marked({ children }: { children: string }) {
  return (
    <Text component="mark" inherit c="inherit" bg="none" td="underline" style={{ textDecorationStyle: "wavy" }}>
      {children}
    </Text>
  );
}
