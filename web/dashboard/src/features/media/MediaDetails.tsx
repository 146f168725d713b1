import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type MouseEvent, useState } from "react";
import { useCan } from "@/api/projects";
import { texts } from "@/texts";
import { toast, toastError } from "@/ui/feedback/feedback";
import { useKeptText } from "@/ui/form/unsavedWork";
import { ErrorState } from "@/ui/states";
import classes from "./Media.module.css";
import { changeMedia, deleteMedia, type MediaView, mediaQuery } from "./queries";
import { stillOf } from "./references";
import { mediaTexts as words } from "./texts";
import { useMediaFiles } from "./useMediaFiles";

interface MediaDetailsProps {
  mediaId: string;
  onUse: (file: MediaView) => void;
  /** Choose the file that dark pages show in place of this one. */
  onPair: (file: MediaView) => void;
  onUnpair: (file: MediaView) => void;
  onDeleted: () => void;
}

/** The facts of a file: its description, the part that stays in sight, and what uses it. */
export function MediaDetails({ mediaId, ...acts }: MediaDetailsProps) {
  const file = useQuery(mediaQuery(mediaId));
  if (file.isError) {
    return <ErrorState error={file.error} onRetry={() => void file.refetch()} />;
  }
  return file.data ? <Facts file={file.data} {...acts} /> : null;
}

type FactsProps = { file: MediaView } & Omit<MediaDetailsProps, "mediaId">;

function Facts({ file, onUse, onPair, onUnpair, onDeleted }: FactsProps) {
  const queryClient = useQueryClient();
  const canEdit = useCan("editor");
  const [alt, setAlt] = useKeptText(`media-alt:${file.id}`, file.alt);
  const [name, setName] = useKeptText(`media-name:${file.id}`, file.name);
  const [focus, setFocus] = useState(file.focal_point);
  const isSame = alt === file.alt && name === file.name && focus === file.focal_point;
  const renew = async (changed: MediaView | null) => {
    if (changed) {
      queryClient.setQueryData(mediaQuery(file.id).queryKey, { ...changed, uses: file.uses });
    }
    await queryClient.invalidateQueries({ queryKey: ["media", file.project_id] });
  };
  const use = useMutation({
    mutationFn: async () => {
      const changes = {
        alt,
        name: name.trim() || file.name,
        ...(focus && { focal_point: focus as { x: number; y: number } }),
      };
      return isSame || !canEdit ? file : changeMedia(file.id, changes);
    },
    onSuccess: async (changed) => {
      await renew(changed === file ? null : changed);
      onUse(changed);
    },
    onError: (error) => toastError(error),
  });
  const remove = useMutation({
    mutationFn: () => deleteMedia(file.id),
    onSuccess: async () => {
      toast(words.removed(file.name));
      onDeleted();
      await renew(null);
    },
    onError: (error) => toastError(error),
  });
  const [isAsked, setAsked] = useState(false);
  const files = useMediaFiles([file.id]);
  const still = stillOf(file, files);
  const dark = files.get(file.dark_media_id ?? "");
  const isFont = file.kind === "font";
  const names = [...(file.uses?.flows ?? []), ...(file.uses?.themes ?? [])].map((used) => used.name);
  const place = (event: MouseEvent<HTMLButtonElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    // A press of the keyboard has no place: the middle.
    const share = (at: number, from: number, length: number) =>
      event.detail === 0 ? 0.5 : Math.min(1, Math.max(0, Math.round(((at - from) / length) * 100) / 100));
    setFocus({ x: share(event.clientX, box.left, box.width), y: share(event.clientY, box.top, box.height) });
  };
  return (
    <Group align="start" gap="lg">
      <Stack gap={4} w={220}>
        {file.kind === "image" && canEdit && still ? (
          <>
            <button type="button" className={classes.focus} aria-label={words.focusLabel} onClick={place}>
              <img src={still} alt="" />
              {focus && <span style={{ left: `${(focus.x ?? 0.5) * 100}%`, top: `${(focus.y ?? 0.5) * 100}%` }} />}
            </button>
            <Text size="xs" c="dimmed">
              {words.focus}
            </Text>
          </>
        ) : (
          still && <img className={classes.cut} src={still} alt="" />
        )}
        <Text size="xs" c="dimmed">
          {words.kinds[file.kind]}
          {isFont && `: ${[file.family, file.weight, file.style].filter((fact) => fact !== null).join(", ")}`}
          {file.width && file.height && `, ${words.size(file.width, file.height, Math.ceil(file.bytes / 1024))}`}
        </Text>
      </Stack>
      <Stack gap="sm" flex="1 1 240px">
        <TextInput
          label={words.name}
          maxLength={100}
          value={name}
          disabled={!canEdit}
          onChange={(e) => setName(e.target.value)}
        />
        {!isFont && (
          <TextInput
            label={words.alt}
            description={words.altHelp}
            maxLength={300}
            value={alt}
            disabled={!canEdit}
            onChange={(event) => setAlt(event.target.value)}
          />
        )}
        {!isFont && (
          <Group gap="xs">
            <Text size="sm" c={dark ? undefined : "dimmed"}>
              {dark ? words.dark.is(dark.name) : words.dark.none}
            </Text>
            {canEdit && (
              <Button size="compact-sm" variant="subtle" onClick={() => (dark ? onUnpair(file) : onPair(file))}>
                {dark ? words.dark.remove : words.dark.choose}
              </Button>
            )}
          </Group>
        )}
        <Text size="sm" c="dimmed">
          {names.length > 0 ? words.uses(names) : words.unused}
        </Text>
        {isAsked ? (
          <Alert color="red" title={words.removeTitle(file.name)} role="alert">
            <Text size="sm">{words.removeText}</Text>
            <Group justify="flex-end" gap="xs" mt="sm">
              <Button variant="default" onClick={() => setAsked(false)}>
                {texts.ui.cancel}
              </Button>
              <Button color="red.9" loading={remove.isPending} onClick={() => remove.mutate()}>
                {words.removeFile}
              </Button>
            </Group>
          </Alert>
        ) : (
          <Group justify="space-between" className={classes.actions}>
            {canEdit && names.length === 0 ? (
              <Button variant="subtle" color="red" onClick={() => setAsked(true)}>
                {words.remove}
              </Button>
            ) : (
              <span />
            )}
            <Button loading={use.isPending} onClick={() => use.mutate()}>
              {isFont ? words.fonts.use : words.use}
            </Button>
          </Group>
        )}
      </Stack>
    </Group>
  );
}
