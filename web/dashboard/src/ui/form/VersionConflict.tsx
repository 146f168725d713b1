import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { useState } from "react";
import { ApiError } from "@/api/errors";
import type { Tagged } from "@/api/responses";
import { texts } from "@/texts";

/**
 * Return the newest known version of the object of a form, and `save`, which calls `send`. When the service responds
 * 412, because a later version was saved, `save` fetches that version and throws the error. The form keeps the entity
 * tag that it has read among its values, so that restored values do not overwrite a later version without a choice.
 */
export function useNewest<Data>(read: Tagged<Data>, fetchNewest: () => Promise<Tagged<Data>>) {
  const [newest, setNewest] = useState(read);
  async function save<Saved>(send: () => Promise<Saved>): Promise<Saved> {
    try {
      return await send();
    } catch (error) {
      if (error instanceof ApiError && error.status === 412) {
        setNewest(await fetchNewest());
      }
      throw error;
    }
  }
  return { newest, save };
}

interface VersionConflictProps {
  /** The parts of an `ApiForm` that the choice needs; `etag` is that of the version that the form has read. */
  form: {
    fields: {
      values: { etag?: string | null };
      setFieldValue: (path: "etag", etag: string | null) => void;
    };
    onSubmit: () => void;
    discard: () => void;
  };
  /** The entity tag of the newest known version. */
  newestEtag: string | null;
  /** Load the newest version into the form. */
  onTheirs: () => void;
}

/** The choice between the values of a form and a later version; nothing while the form has read the newest one. */
export function VersionConflict({ form, newestEtag, onTheirs }: VersionConflictProps) {
  if (form.fields.values.etag === newestEtag) {
    return null;
  }
  const takeTheirs = () => {
    form.discard();
    onTheirs();
  };
  const keepMine = () => {
    form.fields.setFieldValue("etag", newestEtag);
    form.onSubmit();
  };
  const { conflictTitle: title, conflictText: text } = texts.ui;
  return (
    <Alert color="yellow" title={title} icon={<IconUsers size={18} />} role="group" aria-label={title}>
      <Stack gap="sm">
        <Text size="sm">{text}</Text>
        <Group gap="xs">
          <Button variant="default" onClick={takeTheirs}>
            {texts.ui.takeTheirs}
          </Button>
          <Button variant="default" onClick={keepMine}>
            {texts.ui.keepMine}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
