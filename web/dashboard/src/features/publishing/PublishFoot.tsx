import { Alert, Button, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { UseMutationResult } from "@tanstack/react-query";
import { ApiError } from "@/api/errors";
import { texts } from "@/texts";
import { FailureAlert } from "@/ui/form/ApiFormView";
import { failureOf } from "@/ui/form/fieldErrors";

interface PublishFootProps {
  send: UseMutationResult<void, Error, void>;
  /** The words for a draft that has changed since the dialog read it. */
  hasChanged: string;
  /** Why the draft cannot be published. */
  reason: string | undefined;
  isReady: boolean;
  submit: string;
  onClose: () => void;
}

/** The end of a dialog that publishes a draft: what failed, why it is not possible, and its buttons. */
export function PublishFoot({ send, hasChanged, reason, isReady, submit, onClose }: PublishFootProps) {
  return (
    <>
      {send.error instanceof ApiError && send.error.status === 412 ? (
        <Alert color="yellow" title={hasChanged} icon={<IconAlertTriangle />} role="alert" />
      ) : (
        send.isError && <FailureAlert failure={failureOf(send.error)} />
      )}
      <Group justify="flex-end" gap="sm">
        {reason && (
          <Text size="sm" c="dimmed" flex="1 1 200px">
            {reason}
          </Text>
        )}
        <Group gap="sm" ml="auto" wrap="nowrap">
          <Button variant="default" onClick={onClose}>
            {texts.ui.cancel}
          </Button>
          <Button disabled={!isReady || reason !== undefined} loading={send.isPending} onClick={() => send.mutate()}>
            {submit}
          </Button>
        </Group>
      </Group>
    </>
  );
}
