import { Button, Grid, Group, Stack, Title, UnstyledButton } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { ApiError } from "@/api/errors";
import { FailureAlert } from "@/ui/form/ApiFormView";
import { sortDetails } from "@/ui/form/fieldErrors";
import { useApiForm } from "@/ui/form/useApiForm";
import { VersionConflict } from "@/ui/form/VersionConflict";
import classes from "../experiments.module.css";
import { STEPS, type Step } from "../searches";
import { experimentTexts } from "../texts";
import { CheckStep } from "./CheckStep";
import { Estimate } from "./Estimate";
import { AudienceStep, IdeaStep } from "./steps";
import { VariantsStep } from "./VariantsStep";
import { type ExperimentValues, errorsOf, FIELD_NAMES, schema, stepOf } from "./values";

const words = experimentTexts.form;

interface ExperimentFormProps {
  /** The key of unsaved work. */
  name: string;
  initialValues: ExperimentValues;
  step: Step;
  onStep: (step: Step) => void;
  submitLabel: string;
  submit: (values: ExperimentValues) => Promise<unknown>;
  /** The entity tag of the newest known draft, and a function that loads it into the form. */
  draft?: { etag: string | null; onRestart: () => void };
}

const VIEWS = { idea: IdeaStep, variants: VariantsStep, audience: AudienceStep, check: CheckStep } as const;

/** The form of a draft in steps, with the time that the experiment will take beside them. */
export function ExperimentForm({ name, initialValues, step, onStep, submitLabel, submit, draft }: ExperimentFormProps) {
  const form = useApiForm({
    name,
    initialValues,
    schema,
    fieldNames: FIELD_NAMES,
    submit: (typed) =>
      submit(typed).catch((error) => {
        // The details of the service are shown at the step that has their fields.
        const [path] = error instanceof ApiError ? Object.keys(sortDetails(error, typed, FIELD_NAMES).fields) : [];
        if (path !== undefined) {
          onStep(stepOf(path));
        }
        throw error;
      }),
  });
  const { values, setErrors } = form.fields;
  const place = STEPS.indexOf(step);
  const next = STEPS[place + 1];
  const heading = useRef<HTMLHeadingElement>(null);
  const element = useRef<HTMLFormElement>(null);
  const entered = useRef(step);
  const [invalidSubmits, setInvalidSubmits] = useState(0);

  // Move the focus to the heading of the new step.
  useEffect(() => {
    if (entered.current !== step) {
      entered.current = step;
      heading.current?.focus();
    }
  }, [step]);
  // After an invalid step, move the focus to its first field with an error.
  useEffect(() => {
    if (invalidSubmits > 0) {
      element.current?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus();
    }
  }, [invalidSubmits]);

  function goTo(other: Step) {
    setErrors({});
    onStep(other);
  }

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const found = errorsOf(step, values);
    const [wrong] = Object.keys(found);
    setErrors(found);
    if (wrong !== undefined) {
      onStep(stepOf(wrong));
      setInvalidSubmits(invalidSubmits + 1);
    } else if (next === undefined) {
      form.onSubmit(event);
    } else {
      onStep(next);
    }
  }

  const View = VIEWS[step];
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <nav aria-label={words.progress}>
          <ol className={classes.steps}>
            {STEPS.map((entry, index) => (
              <li key={entry}>
                <UnstyledButton
                  className={classes.step}
                  aria-current={entry === step ? "step" : undefined}
                  onClick={() => goTo(entry)}
                >
                  <span className={classes.place} aria-hidden>
                    {index + 1}
                  </span>
                  <span className={classes.stepLabel}>{words.steps[entry]}</span>
                </UnstyledButton>
              </li>
            ))}
          </ol>
        </nav>
        <form ref={element} onSubmit={onSubmit} noValidate>
          <Stack gap="md">
            <Title
              order={2}
              ref={heading}
              tabIndex={-1}
              style={{ outline: "none" }}
              aria-description={words.stepOf(place + 1, STEPS.length)}
            >
              {words.stepTitles[step]}
            </Title>
            <View form={form} />
            {form.failure && <FailureAlert failure={form.failure} />}
            {draft && <VersionConflict form={form} newestEtag={draft.etag} onTheirs={draft.onRestart} />}
            <Group justify="space-between" mt="md">
              {place > 0 ? (
                <Button variant="default" onClick={() => goTo(STEPS[place - 1] ?? step)}>
                  {words.back}
                </Button>
              ) : (
                <span />
              )}
              <Button type="submit" loading={form.submitting}>
                {next === undefined ? submitLabel : words.next(words.steps[next])}
              </Button>
            </Group>
          </Stack>
        </form>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Estimate values={values} />
      </Grid.Col>
    </Grid>
  );
}
