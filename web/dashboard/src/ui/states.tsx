import {
  Button,
  Group,
  EmptyState as MantineEmptyState,
  Skeleton,
  Stack,
  Text,
  Title,
  VisuallyHidden,
} from "@mantine/core";
import { IconAlertTriangle, IconMoodEmpty } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { ApiError, isTransient } from "@/api/errors";
import { texts } from "@/texts";
import { CopyButton } from "./copy";
import { ButtonLink } from "./links";
import classes from "./states.module.css";

/** Return an error in words, for people. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) {
    return error.message;
  }
  return isTransient(error) ? texts.ui.connectionError : texts.ui.unknownError;
}

/** The request id of an error, to be quoted to support; nothing for other errors. */
export function RequestId({ error }: { error: unknown }) {
  if (!(error instanceof ApiError) || error.requestId === null) {
    return null;
  }
  return (
    <Group gap={4} wrap="nowrap" justify="inherit">
      <Text size="xs">
        {texts.ui.requestId} <code>{error.requestId}</code>
      </Text>
      <CopyButton value={error.requestId} label={texts.ui.copyRequestId} />
    </Group>
  );
}

interface ErrorStateProps {
  /** 1 where it is the whole view. */
  titleOrder?: 1 | 2;
  error: unknown;
  onRetry?: () => void;
}

/** A failed view: the reason, the request id, and a way to try again. */
export function ErrorState({ titleOrder, error, onRetry }: ErrorStateProps) {
  if (error instanceof ApiError && error.status === 404) {
    return <NotFoundState titleOrder={titleOrder} error={error} />;
  }
  return (
    <MantineEmptyState
      role="alert"
      py={48}
      icon={<IconAlertTriangle size={32} stroke={1.5} />}
      title={<StateTitle title={texts.ui.errorTitle} order={titleOrder} />}
      description={errorText(error)}
    >
      <Stack gap="xs" align="center">
        <RequestId error={error} />
        {onRetry && (
          <Button variant="default" onClick={onRetry}>
            {texts.ui.retry}
          </Button>
        )}
      </Stack>
    </MantineEmptyState>
  );
}

/** An address that leads to nothing. */
export function NotFoundState({ titleOrder, error }: { titleOrder?: 1 | 2; error?: unknown }) {
  return (
    <EmptyState
      titleOrder={titleOrder}
      icon={<IconMoodEmpty size={32} stroke={1.5} />}
      title={texts.ui.notFoundTitle}
      text={texts.ui.notFoundText}
      action={
        <Stack gap="xs" align="center">
          <ButtonLink to="/projects" variant="default">
            {texts.ui.notFoundAction}
          </ButtonLink>
          <RequestId error={error} />
        </Stack>
      }
    />
  );
}

interface EmptyStateProps {
  /** 1 where it is the whole view. */
  titleOrder?: 1 | 2;
  icon: ReactNode;
  title: string;
  text: string;
  action?: ReactNode;
}

/** An empty view teaches: one picture, one sentence, one action. */
export function EmptyState({ icon, title, text, action, titleOrder }: EmptyStateProps) {
  const heading = <StateTitle title={title} order={titleOrder} />;
  return (
    <MantineEmptyState py={48} icon={icon} title={heading} description={text}>
      {action && <MantineEmptyState.Actions>{action}</MantineEmptyState.Actions>}
    </MantineEmptyState>
  );
}

/** The title of a state; of one that is the whole view, it is that of the browser's tab, too. */
function StateTitle({ title, order = 2 }: { title: string; order?: 1 | 2 }) {
  useEffect(() => {
    if (order === 1) {
      document.title = texts.app.documentTitle(title);
    }
  }, [title, order]);
  return (
    <Title order={order} size="h3">
      {title}
    </Title>
  );
}

interface QueryViewProps<Data> {
  query: UseQueryResult<Data>;
  /** Whether the data is the whole view with its title. */
  isPage?: boolean;
  /** The shape of the view while it loads. */
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

/** The three states of a query: its skeleton, its error with a retry, its data. */
export function QueryView<Data>({ query, isPage = false, skeleton, children }: QueryViewProps<Data>) {
  if (query.data !== undefined) {
    return (
      <div className={classes.shown} data-stale={query.isPlaceholderData || undefined}>
        {children(query.data)}
      </div>
    );
  }
  if (query.isError) {
    return <ErrorState titleOrder={isPage ? 1 : 2} error={query.error} onRetry={() => void query.refetch()} />;
  }
  return (
    <>
      {isPage && <VisuallyHidden component="h1">{texts.ui.loading}</VisuallyHidden>}
      {skeleton}
    </>
  );
}

/** Lines of text while they load. */
export function TextSkeleton({ lines = 3 }: { lines?: number }) {
  return (
    <Stack gap="xs" role="group" aria-busy="true" aria-label={texts.ui.loading}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are alike and never move
        <Skeleton key={line} height={16} width={line === lines - 1 ? "60%" : "100%"} />
      ))}
    </Stack>
  );
}
