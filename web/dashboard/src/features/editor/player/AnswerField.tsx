import { MultiSelect, Select, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import type { Subject } from "@/features/audience/subjects";
import { playerTexts as words } from "./texts";

interface AnswerFieldProps {
  subject: Subject;
  /** The answer as conditions read it; undefined for none. */
  value: unknown;
  /** Return whether the page takes the answer. */
  onAnswer: (value: unknown) => boolean;
}

/** The answer to a screen on the path, as a field of its kind. */
export function AnswerField({ subject, value, onAnswer }: AnswerFieldProps) {
  const { kind, label } = subject;
  const options = [...new Map(subject.options.map((option) => [option.value, option])).values()];
  const common = { size: "xs", "aria-label": words.answerOf(label), placeholder: words.noAnswer } as const;
  if (kind === "choices") {
    const chosen = Array.isArray(value) ? value.map(String) : [];
    return (
      <MultiSelect
        {...common}
        placeholder={chosen.length > 0 ? "" : words.noAnswer}
        data={options}
        value={chosen}
        onChange={(values) => onAnswer(values.length > 0 ? values : undefined)}
      />
    );
  }
  if (kind === "choice") {
    return (
      <Select
        {...common}
        data={options}
        clearable
        value={value === undefined ? null : String(value)}
        onChange={(chosen) => onAnswer(chosen ?? undefined)}
      />
    );
  }
  return <TypedAnswer {...{ subject, value, onAnswer }} />;
}

/** An answer that is typed. One that the page does not take stays here. */
function TypedAnswer({ subject: { kind, label }, value, onAnswer }: AnswerFieldProps) {
  const given = value === undefined ? "" : String(value);
  const [typed, setTyped] = useState(given);
  const [isWrong, setWrong] = useState(false);
  useEffect(() => {
    setTyped(given);
    setWrong(false);
  }, [given]);
  return (
    <TextInput
      size="xs"
      aria-label={words.answerOf(label)}
      placeholder={words.noAnswer}
      type={kind === "date" || kind === "time" ? kind : "text"}
      inputMode={kind === "number" ? "decimal" : undefined}
      value={typed}
      error={isWrong && words.notValid}
      onChange={({ target }) => {
        setTyped(target.value);
        const text = target.value.trim();
        const isNumber = kind !== "number" || Number.isFinite(Number(text));
        setWrong(!isNumber || !onAnswer(text === "" ? undefined : text));
      }}
    />
  );
}
