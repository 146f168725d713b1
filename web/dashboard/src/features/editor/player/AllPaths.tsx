import { Button, Stack, Text, Title, UnstyledButton } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import type { PathsView } from "@/api/schema";
import { formatFraction } from "@/ui/values/format";
import { type FlowDocument, screenName } from "../document";
import { answerSubject } from "../logic/subjects";
import { shareOfPath } from "../map/users";
import classes from "./Player.module.css";
import { type FoundPaths, pathsOf } from "./paths";
import { playerTexts as words } from "./texts";
import type { Play } from "./usePlay";

export interface AllPathsProps {
  document: FlowDocument;
  play: Play;
  /** The users of the live flow in the chosen period, and the choice of the period. */
  users: { paths: PathsView | null; choice: ReactNode };
}

/** The distinct paths through a flow for the device of the preview, with the share of the users who take each. */
export function AllPaths({ document, play: { flow, context, go }, users: { paths, choice } }: AllPathsProps) {
  const [isWanted, setWanted] = useState(false);
  const [found, setFound] = useState<FoundPaths | null>(null);
  useEffect(() => {
    if (!isWanted) {
      return;
    }
    const choicesOf = (id: string) => {
      const screen = document.screens.find((one) => one.id === id);
      return (screen && answerSubject(screen)?.options.map(({ value }) => value)) ?? [];
    };
    // After a pause, because a change of the flow comes with each key.
    const timer = setTimeout(() => setFound(pathsOf(flow, context, choicesOf)), 200);
    return () => clearTimeout(timer);
  }, [isWanted, document, flow, context]);

  const names = new Map(document.screens.map((screen) => [screen.id, screenName(screen)]));
  const shares = new Map(found?.ways.map((way) => [way, paths ? shareOfPath(way.path, paths.links) : 0]));
  const ways = [...(found?.ways ?? [])].sort((one, other) => (shares.get(other) ?? 0) - (shares.get(one) ?? 0));
  return (
    <section aria-label={words.allPaths}>
      <Title order={3} size="h4" mb="xs">
        {words.allPaths}
      </Title>
      {!isWanted && (
        <Button variant="default" size="xs" onClick={() => setWanted(true)}>
          {words.findPaths}
        </Button>
      )}
      {found && (
        <Stack gap="xs">
          <Text size="sm" role="status">
            {found.isCut ? words.morePaths(ways.length) : words.pathCount(ways.length)}
          </Text>
          <Text size="xs" c="dimmed">
            {words.allPathsHelp}
          </Text>
          {choice}
          {paths && (
            <Text size="xs" c="dimmed">
              {words.sharesHelp}
            </Text>
          )}
          <ol className={classes.path} aria-label={words.allPaths}>
            {ways.map((way) => (
              <li key={way.path.join(" ")} className={classes.step}>
                <UnstyledButton
                  className={classes.name}
                  onClick={() => go({ ...way, screenId: way.path.at(-1) ?? null, ahead: [] })}
                >
                  <Text size="xs">{[...way.path.map((id) => names.get(id) ?? id), words.end].join(" → ")}</Text>
                  {paths && (
                    <Text size="xs" c="dimmed">
                      {words.share(formatFraction(shares.get(way) ?? 0))}
                    </Text>
                  )}
                </UnstyledButton>
              </li>
            ))}
          </ol>
        </Stack>
      )}
    </section>
  );
}
