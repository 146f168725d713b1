import { Alert, Button, FileButton, Group, Progress, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconPlayerPlay, IconUpload } from "@tabler/icons-react";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { type DragEvent, useEffect, useRef, useState } from "react";
import { useProjectId } from "@/api/projects";
import { texts } from "@/texts";
import { Dialog } from "@/ui/feedback/Dialog";
import { toastError } from "@/ui/feedback/feedback";
import { EmptyState, ErrorState } from "@/ui/states";
import { Crop, canCrop } from "./Crop";
import classes from "./Media.module.css";
import { MediaDetails } from "./MediaDetails";
import { changeMedia, type MediaView, mediaListQuery, mediaQuery, uploadMedia } from "./queries";
import { stillOf } from "./references";
import { mediaTexts as words } from "./texts";

const ACCEPTED =
  "image/png,image/apng,image/jpeg,image/webp,image/avif,image/gif,image/svg+xml,application/json,video/mp4,video/webm";
const ACCEPTED_FONTS = ".woff2,.woff,.ttf,.otf,font/woff2,font/woff,font/ttf,font/otf";
const SEARCH_MILLISECONDS = 300;

interface MediaPickerProps {
  /** The file that is in use. */
  chosen: string | null;
  /** Whether a font is chosen, and not a picture. */
  isFont?: boolean;
  onChoose: (file: MediaView) => void;
  onClose: () => void;
}

/** The pictures of a project: choose one, or upload another one by a button, by drag or by paste. */
export function MediaPicker({ chosen, isFont = false, onChoose, onClose }: MediaPickerProps) {
  const projectId = useProjectId();
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), SEARCH_MILLISECONDS);
  const [selectedId, setSelectedId] = useState(chosen);
  const [cropped, setCropped] = useState<File | null>(null);
  /** A video that waits for its still picture, or a file that waits for its partner on dark pages. */
  const [waiting, setWaiting] = useState<File | MediaView | null>(null);
  const [isOver, setOver] = useState(false);
  const list = useInfiniteQuery(mediaListQuery(projectId, search));
  const all = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const byId = new Map(all.map((file) => [file.id, file]));
  const partnerOf = waiting instanceof File ? null : waiting;
  const wanted = waiting instanceof File ? "image" : partnerOf?.kind;
  const files = all.filter(({ id, kind }) =>
    wanted ? kind === wanted && id !== partnerOf?.id : (kind === "font") === isFont,
  );
  const pair = usePair(projectId);
  const select = (file: MediaView) => {
    if (file.kind !== wanted) {
      setSelectedId(file.id);
      return;
    }
    setWaiting(null);
    if (waiting instanceof File) {
      void send(waiting, waiting.name, file.id);
    } else if (waiting) {
      pair.mutate({ file: waiting, darkId: file.id });
    }
  };
  const { running, send, cancel } = useUpload(projectId, select);
  const take = (file: File | null | undefined) => {
    if (!file || running) {
      return;
    }
    if (file.type.startsWith("video/")) {
      setWaiting(file);
    } else {
      canCrop(file) ? setCropped(file) : void send(file, file.name);
    }
  };
  useEffect(() => {
    const paste = (event: ClipboardEvent) => take(event.clipboardData?.files[0]);
    window.addEventListener("paste", paste);
    return () => window.removeEventListener("paste", paste);
  });
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  };

  return (
    <Dialog title={isFont ? words.fonts.title : words.title} size="xl" onClose={onClose}>
      <Stack
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {cropped ? (
          <Crop
            file={cropped}
            onCancel={() => setCropped(null)}
            onDone={(file) => {
              setCropped(null);
              void send(file, cropped.name);
            }}
          />
        ) : (
          <>
            <Group className={classes.drop} data-over={isOver || undefined} justify="space-between">
              <div>
                <Text size="sm">{isFont ? words.fonts.drop : words.drop}</Text>
                <Text size="xs" c="dimmed">
                  {isFont ? words.fonts.accepted : words.accepted}
                </Text>
              </div>
              <FileButton accept={isFont ? ACCEPTED_FONTS : ACCEPTED} onChange={take} disabled={running !== null}>
                {(props) => (
                  <Button {...props} variant="default" leftSection={<IconUpload size={18} />}>
                    {words.choose}
                  </Button>
                )}
              </FileButton>
            </Group>
            {running && (
              <div role="status">
                <Group justify="space-between">
                  <Text size="sm">{words.uploading(running.name, running.share)}</Text>
                  <Button size="compact-sm" variant="subtle" onClick={cancel}>
                    {words.cancel}
                  </Button>
                </Group>
                <Progress value={running.share * 100} animated={running.share >= 1} aria-hidden="true" />
              </div>
            )}
            {waiting && (
              <Alert
                title={waiting instanceof File ? words.poster(waiting.name) : words.dark.title(waiting.name)}
                role="status"
              >
                {waiting instanceof File ? words.posterHelp : words.dark.help}{" "}
                <Button size="compact-sm" variant="subtle" onClick={() => setWaiting(null)}>
                  {texts.ui.cancel}
                </Button>
              </Alert>
            )}
            <TextInput
              data-autofocus
              aria-label={words.search}
              placeholder={words.search}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
            {list.isError ? (
              <ErrorState error={list.error} onRetry={() => void list.refetch()} />
            ) : list.isSuccess && files.length === 0 ? (
              <EmptyState
                icon={null}
                title={search ? words.noneFound : isFont ? words.fonts.none : words.none}
                text=""
              />
            ) : (
              <ul className={classes.grid} aria-busy={list.isPending}>
                {files.map((file) => (
                  <li key={file.id}>
                    <Tile
                      file={file}
                      still={stillOf(file, byId)}
                      isSelected={file.id === selectedId}
                      onSelect={() => !running && select(file)}
                    />
                  </li>
                ))}
              </ul>
            )}
            {list.hasNextPage && (
              <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                {words.more}
              </Button>
            )}
            {selectedId && (
              // What is typed there stays.
              <div hidden={waiting !== null}>
                <MediaDetails
                  key={selectedId}
                  mediaId={selectedId}
                  onUse={onChoose}
                  onPair={setWaiting}
                  onUnpair={(file) => pair.mutate({ file, darkId: null })}
                  onDeleted={() => setSelectedId(null)}
                />
              </div>
            )}
          </>
        )}
      </Stack>
    </Dialog>
  );
}

interface TileProps {
  file: MediaView;
  /** The address of its still picture. */
  still: string | null;
  isSelected: boolean;
  onSelect: () => void;
}

function Tile({ file, still, isSelected, onSelect }: TileProps) {
  return (
    <button type="button" className={classes.tile} aria-pressed={isSelected} onClick={onSelect}>
      {still ? <img src={still} alt="" loading="lazy" /> : <span className={classes.thumb} />}
      <span className={classes.label}>
        {file.kind === "video" && <IconPlayerPlay size={12} aria-label={words.kinds.video} />} {file.name}
      </span>
    </button>
  );
}

/** Return the change of the file that dark pages show in place of another one. */
function usePair(projectId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ file, darkId }: { file: MediaView; darkId: string | null }) =>
      changeMedia(file.id, { dark_media_id: darkId }),
    onSuccess: async (changed) => {
      queryClient.setQueryData(mediaQuery(changed.id).queryKey, (before) => ({
        ...changed,
        uses: before?.uses ?? null,
      }));
      await queryClient.invalidateQueries({ queryKey: ["media", projectId] });
    },
    onError: (error) => toastError(error),
  });
}

/** Return the running upload with a function that starts one, and one that cancels it. */
function useUpload(projectId: string, onDone: (file: MediaView) => void) {
  const queryClient = useQueryClient();
  const [running, setRunning] = useState<{ name: string; share: number } | null>(null);
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  async function send(file: Blob, name: string, posterId?: string) {
    const controller = new AbortController();
    abort.current = controller;
    setRunning({ name, share: 0 });
    let media: MediaView;
    try {
      const onProgress = (share: number) => setRunning({ name, share });
      media = await uploadMedia(projectId, file, name, posterId, onProgress, controller.signal);
      queryClient.setQueryData(mediaQuery(media.id).queryKey, media);
      await queryClient.invalidateQueries({ queryKey: ["media", projectId] });
    } catch (error) {
      if (!controller.signal.aborted) {
        toastError(error);
      }
      return;
    } finally {
      setRunning(null);
    }
    onDone(media);
  }
  return { running, send, cancel: () => abort.current?.abort() };
}
