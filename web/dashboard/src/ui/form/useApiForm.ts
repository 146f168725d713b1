import { schemaResolver, type UseFormReturnType, useForm } from "@mantine/form";
import { useEffect, useState } from "react";
import type * as z from "zod/mini";
import { ApiError } from "@/api/errors";
import { texts } from "@/texts";
import { toast } from "@/ui/feedback/feedback";
import { type FormFailure, sortDetails } from "./fieldErrors";
import { dropUnsavedWork, useKeptWork, useUnsavedWork } from "./unsavedWork";

interface ApiFormOptions<Values extends Record<string, unknown>> {
  /** The key of unsaved work: typed values survive signing in again and a new release. */
  name: string;
  initialValues: Values;
  /** The rules that the form can check; the service checks all rules. */
  schema: z.ZodMiniType;
  /** Send the values. The details of a thrown `ApiError` are shown at their fields. */
  submit: (values: Values) => Promise<unknown>;
  /** The fields of the form by their names in the interface, where those differ. */
  fieldNames?: Record<string, string>;
}

/** The properties of any input of Mantine. */
// biome-ignore lint/suspicious/noExplicitAny: Mantine types the value of an input by the input
type FieldProps = { description?: string } & Record<string, any>;

export interface ApiForm<Values extends Record<string, unknown>> {
  fields: UseFormReturnType<Values>;
  submitting: boolean;
  failure: FormFailure | null;
  /** Return the properties of an input; its error stands in place of its help. */
  field: (path: string, help?: string) => FieldProps;
  /** Drop the unsaved values. */
  discard: () => void;
  onSubmit: (event?: React.FormEvent<HTMLFormElement>) => void;
}

/**
 * Return a form that validates with a schema, submits to the service, and has the errors of the service at its fields.
 */
export function useApiForm<Values extends Record<string, unknown>>(options: ApiFormOptions<Values>): ApiForm<Values> {
  const { name, initialValues, schema, submit, fieldNames } = options;
  const kept = useKeptWork<Values>(name);
  const fields = useForm<Values>({
    mode: "controlled",
    initialValues,
    validate: schemaResolver(schema, { sync: true }),
  });
  const [submitting, setSubmitting] = useState(false);
  const [done, setDone] = useState(false);
  const [failure, setFailure] = useState<FormFailure | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: kept work is restored once, when the form is mounted
  useEffect(() => {
    if (kept) {
      fields.setValues(kept);
      toast(texts.ui.restored);
    }
  }, []);
  useUnsavedWork(name, !done && fields.isDirty() ? fields.values : null);

  async function send(values: Values) {
    setSubmitting(true);
    setFailure(null);
    try {
      await submit(values);
      // `submit` may have closed the dialog of the form; then its effects no longer run.
      dropUnsavedWork(name);
      setDone(true);
    } catch (error) {
      const sorted = error instanceof ApiError ? sortDetails(error, values, fieldNames) : { fields: {}, others: [] };
      fields.setErrors(sorted.fields);
      const allAtFields = Object.keys(sorted.fields).length > 0 && sorted.others.length === 0;
      setFailure(allAtFields ? null : { error, details: sorted.others });
    } finally {
      setSubmitting(false);
    }
  }

  const field = (path: string, help?: string): FieldProps => ({
    ...fields.getInputProps(path),
    description: path in fields.errors ? undefined : help,
  });
  const discard = () => dropUnsavedWork(name);
  return { fields, field, discard, submitting, failure, onSubmit: fields.onSubmit((values) => void send(values)) };
}
