/** Return the value of a parameter of the address; undefined if it is invalid. */
type Parameter<Value> = (given: unknown) => Value | undefined;

/** The values of parameters in the address. */
type Search<Parameters extends Record<string, Parameter<unknown>>> = {
  [Name in keyof Parameters]?: ReturnType<Parameters[Name]>;
};

/**
 * Return a function for `validateSearch` of a route, which returns the valid parameters. Its result lacks the absent
 * ones, so that spreading it keeps defaults.
 */
export function searchOf<Parameters extends Record<string, Parameter<unknown>>>(parameters: Parameters) {
  return (given: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(parameters)
        .map(([name, read]) => [name, read(given[name])])
        .filter(([, value]) => value !== undefined),
    ) as Search<Parameters>;
}

/** Return a parameter with one of these values. */
export function oneOf<const Value extends string>(values: readonly Value[]): Parameter<Value> {
  return (given) => values.find((value) => value === given);
}

/** Return a parameter with a text that passes a check. */
export function textOf(isValid: (text: string) => boolean): Parameter<string> {
  return (given) => (typeof given === "string" && isValid(given) ? given : undefined);
}

export const anyText = textOf(() => true);

const MAX_SEARCH = 200;

/** The parameters of a list. */
export const listSearch = {
  page: (given: unknown) => (Number.isInteger(given) && (given as number) >= 1 ? (given as number) : undefined),
  sort: anyText,
  search: textOf((text) => text.length <= MAX_SEARCH),
};
