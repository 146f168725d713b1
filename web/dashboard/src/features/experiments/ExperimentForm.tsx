import { Button, Grid, Group, Stack, Title, UnstyledButton } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { texts } from "@/texts";
import { FailureAlert } from "@/ui/form/ApiFormView";
import { useApiForm } from "@/ui/form/useApiForm";
import { CheckStep } from "./CheckStep";
import { Estimate } from "./Estimate";
import classes from "./experiments.module.css";
import { STEPS, type Step } from "./searches";
import { AudienceStep, IdeaStep } from "./steps";
import { VariantsStep } from "./VariantsStep";
import { type ExperimentValues, errorsOf, FIELD_NAMES, schema, stepOf } from "./values";

const words = texts.experiments.form;

interface ExperimentFormProps {
  /** The key of unsaved work. */
  name: string;
  initialValues: ExperimentValues;
  step: Step;
  onStep: (step: Step) => void;
  submitLabel: string;
  submit: (values: ExperimentValues) => Promise<unknown>;
}

const VIEWS = { idea: IdeaStep, variants: VariantsStep, audience: AudienceStep, check: CheckStep } as const;

/** The form of a draft in steps, with the time that the experiment will take beside them. */
export function ExperimentForm({ name, initialValues, step, onStep, submitLabel, submit }: ExperimentFormProps) {
  const form = useApiForm({ name, initialValues, schema, fieldNames: FIELD_NAMES, submit });
  const { values, errors, setErrors } = form.fields;
  const place = STEPS.indexOf(step);
  const next = STEPS[place + 1];
  const heading = useRef<HTMLHeadingElement>(null);
  const element = useRef<HTMLFormElement>(null);
  const entered = useRef(step);
  const [refusals, setRefusals] = useState(0);

  // The keyboard and screen readers go on at the new step.
  useEffect(() => {
    if (entered.current !== step) {
      entered.current = step;
      heading.current?.focus();
    }
  }, [step]);
  // After a refused step they are at its first field with an error.
  useEffect(() => {
    if (refusals > 0) {
      element.current?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus();
    }
  }, [refusals]);
  // Errors of a submission are shown where they belong.
  const [wrong] = Object.keys(errors);
  const wrongStep = wrong === undefined ? step : stepOf(wrong);
  const submitted = step === "check" && wrongStep !== step;
  useEffect(() => {
    if (submitted) {
      onStep(wrongStep);
    }
  }, [submitted, wrongStep, onStep]);

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    if (next === undefined) {
      form.onSubmit(event);
      return;
    }
    event.preventDefault();
    const found = errorsOf(step, values);
    setErrors(found);
    if (Object.keys(found).length === 0) {
      onStep(next);
    } else {
      setRefusals(refusals + 1);
    }
  }

  const View = VIEWS[step];
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <nav aria-label={words.progress}>
          <ol className={classes.steps}>
            {STEPS.map((one, index) => (
              <li key={one}>
                <UnstyledButton
                  className={classes.step}
                  aria-current={one === step ? "step" : undefined}
                  onClick={() => onStep(one)}
                >
                  <span className={classes.place} aria-hidden>
                    {index + 1}
                  </span>
                  <span className={classes.stepLabel}>{words.steps[one]}</span>
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
            <Group justify="space-between" mt="md">
              {place > 0 ? (
                <Button variant="default" onClick={() => onStep(STEPS[place - 1] ?? step)}>
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
