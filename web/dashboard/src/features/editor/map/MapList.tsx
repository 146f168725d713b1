import { List, Stack, Text, UnstyledButton } from "@mantine/core";
import { formatCount, formatFraction } from "@/ui/values/format";
import { END } from "../logic/rules";
import { logicTexts } from "../logic/texts";
import classes from "./FlowMap.module.css";
import { type Arrow, type FlowGraph, type MapScreen, marksOf, START } from "./graph";

const words = logicTexts.map;

interface MapListProps {
  graph: FlowGraph;
  selected?: string;
  /** Without it the list only reads. */
  onOpen?: (id: string) => void;
}

/** The map as a list: each screen with its condition, its problems, and where it leads. */
export function MapList({ graph, selected, onOpen }: MapListProps) {
  const names = new Map(graph.screens.map(({ id, name }) => [id, name]));
  const inWords = ({ to, kind, label, users }: Arrow) => {
    const target = to === END ? logicTexts.words.toEnd : (names.get(to) ?? to);
    const way =
      kind === "rule" ? words.leadsIf(target, label) : kind === "past" ? words.leadsPast(target) : words.leads(target);
    return users ? words.withUsers(way, formatFraction(users.share), formatCount(users.users)) : way;
  };
  const starts = graph.arrows.filter(({ from, users }) => from === START && users);
  const heading = (screen: MapScreen, place: number) => (
    <Text component="span" size="sm" fw={550}>
      {words.screen(screen.name, screen.type, place + 1)}
    </Text>
  );
  return (
    <Stack gap={4} component="ol" className={classes.list} aria-label={words.list}>
      {starts.map((arrow) => (
        <Text key={arrow.id} component="li" size="sm" className={classes.entry}>
          {words.start}: {inWords(arrow)}
        </Text>
      ))}
      {graph.screens.map((screen, place) => (
        <li key={screen.id} className={classes.entry} data-selected={selected === screen.id || undefined}>
          {onOpen ? (
            <UnstyledButton aria-current={selected === screen.id} onClick={() => onOpen(screen.id)}>
              {heading(screen, place)}
            </UnstyledButton>
          ) : (
            heading(screen, place)
          )}
          <List size="sm" listStyleType="none">
            {screen.showIf !== null && <List.Item>{words.shownIf(screen.showIf)}</List.Item>}
            {graph.arrows
              .filter(({ from }) => from === screen.id)
              .map((arrow) => (
                <List.Item key={arrow.id}>{inWords(arrow)}</List.Item>
              ))}
            {screen.lost && (
              <List.Item>{words.leave(formatFraction(screen.lost.share), formatCount(screen.lost.users))}</List.Item>
            )}
            {marksOf(screen).map((mark) => (
              <List.Item key={mark} className={classes.mark} data-wrong={screen.errors.includes(mark) || undefined}>
                {mark}
              </List.Item>
            ))}
          </List>
        </li>
      ))}
    </Stack>
  );
}
