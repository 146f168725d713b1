import { directionOf } from "@onboarding/flow/languages";
import type { ComponentProps } from "react";
import classes from "./Translations.module.css";

interface InputProps extends Omit<ComponentProps<"textarea">, "value" | "lang" | "dir" | "rows" | "className"> {
  locale: string;
  base: string;
  value: string;
}

/** The field of a translation, as high as its base text. It has the direction of what is typed. */
export function TranslationInput({ locale, base, value, ...others }: InputProps) {
  return (
    <textarea
      {...others}
      className={classes.field}
      lang={locale}
      dir={value === "" ? directionOf(locale) : "auto"}
      rows={Math.min(8, Math.max(1, Math.ceil(Math.max(value.length, base.length) / 44)))}
      value={value}
    />
  );
}
