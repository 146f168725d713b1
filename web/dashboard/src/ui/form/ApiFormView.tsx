import { Alert, Button, Group, List, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { texts } from "@/texts";
import { errorText, RequestId } from "../states";
import classes from "./Form.module.css";
import type { FormFailure } from "./fieldErrors";
import type { ApiForm } from "./useApiForm";

interface ApiFormViewProps<Values extends Record<string, unknown>> {
  form: ApiForm<Values>;
  /** Names the action: "Create project", not "OK". */
  submitLabel: string;
  onCancel?: () => void;
  children: ReactNode;
}

/** A form: its fields in one column, the reason of a failure, its buttons. */
export function ApiFormView<Values extends Record<string, unknown>>(props: ApiFormViewProps<Values>) {
  const { form, submitLabel, onCancel, children } = props;
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Stack gap="md">
        {children}
        {form.failure && <FailureAlert failure={form.failure} />}
        <Group className={classes.buttons} justify="flex-end" gap="xs">
          {onCancel && (
            <Button
              variant="default"
              onClick={() => {
                form.discard();
                onCancel();
              }}
            >
              {texts.ui.cancel}
            </Button>
          )}
          <Button type="submit" loading={form.submitting}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The error of a submission, with the details that belong to no field. */
export function FailureAlert({ failure }: { failure: FormFailure }) {
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} role="alert">
      <Stack gap={4}>
        <Text size="sm">{errorText(failure.error)}</Text>
        {failure.details.length > 0 && (
          <List size="sm">
            {failure.details.map((detail) => (
              <List.Item key={`${detail.field} ${detail.message}`}>
                {detail.field} {detail.message}
              </List.Item>
            ))}
          </List>
        )}
        <RequestId error={failure.error} />
      </Stack>
    </Alert>
  );
}
