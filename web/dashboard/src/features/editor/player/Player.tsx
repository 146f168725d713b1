import { Button, Group, Progress, Stack, Text, Title, UnstyledButton } from "@mantine/core";
import { answerOf } from "@onboarding/flow/answers";
import { heading } from "@onboarding/flow/content";
import type { Json } from "@onboarding/flow/json";
import { IconRefresh } from "@tabler/icons-react";
import { type FlowDocument, screenName } from "../document";
import { answerSubject } from "../logic/subjects";
import { AllPaths, type AllPathsProps } from "./AllPaths";
import { AnswerField } from "./AnswerField";
import classes from "./Player.module.css";
import { answered, isAnswered, sessionOf, stepped } from "./play";
import { ShowAs } from "./ShowAs";
import { playerTexts as words } from "./texts";
import type { Play } from "./usePlay";
import { valueInWords } from "./valueInWords";

interface PlayerProps extends Pick<AllPathsProps, "users"> {
  document: FlowDocument;
  play: Play;
}

/** The walk beside the phone: the path with its answers, progress, variables, the device, and all paths. */
export function Player({ document, play, users }: PlayerProps) {
  const { flow, context, session, values, isOver, isOldPage, go } = play;
  const { state } = session;
  const present = flow.screens.find(({ id }) => id === state.screenId);
  const isReady = present === undefined || isAnswered(present, state);
  const screens = new Map(document.screens.map((screen) => [screen.id, screen]));
  return (
    <Stack gap="md" component="section" aria-label={words.title}>
      <Title order={2} size="h3">
        {words.title}
      </Title>
      <Text size="sm" c="dimmed">
        {isOldPage ? words.oldPage : words.help}
      </Text>
      <ShowAs device={play.device} onChange={play.setDevice} />
      <div>
        <Group justify="space-between" mb="xs">
          <Title order={3} size="h4">
            {words.path}
          </Title>
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            leftSection={<IconRefresh size={14} />}
            onClick={play.restart}
          >
            {words.restart}
          </Button>
        </Group>
        <Stack gap={4} component="ol" className={classes.path} aria-label={words.path}>
          {state.path.map((id, place) => {
            const screen = screens.get(id);
            const subject = screen ? answerSubject(screen) : null;
            return (
              <li key={id} className={classes.step} aria-current={id === state.screenId ? "step" : undefined}>
                <UnstyledButton
                  className={classes.name}
                  onClick={() => go({ ...state, path: state.path.slice(0, place + 1), screenId: id, isOver: false })}
                >
                  <Text size="sm">{words.at(place + 1, screen ? screenName(screen) : id)}</Text>
                  <Heading
                    text={headingOf(play, id)}
                    name={screen ? screenName(screen) : ""}
                    isPresent={id === state.screenId}
                  />
                </UnstyledButton>
                {subject && (
                  <AnswerField
                    subject={subject}
                    value={screen?.type === "consent" ? answerOf(state.answers, id)?.answer : values[subject.attribute]}
                    onAnswer={(value) => {
                      const next = answered(flow, state, id, value);
                      if (next) {
                        go(next);
                      }
                      return next !== null;
                    }}
                  />
                )}
              </li>
            );
          })}
        </Stack>
        <Text size="sm" role="status" mt={isOver || !present ? "xs" : 0}>
          {present === undefined ? words.nothingShown : isOver ? words.completed : ""}
        </Text>
        <Group gap="xs" mt="xs" grow>
          <Button
            variant="default"
            size="xs"
            disabled={state.path.length < 2}
            onClick={() => go(stepped(flow, context, state, "back"))}
          >
            {words.back}
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={isOver || present?.settings.skippable !== true}
            onClick={() => go(stepped(flow, context, state, "skip"))}
          >
            {words.skip}
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={isOver || !isReady || !present}
            title={isReady ? undefined : words.answerFirst}
            onClick={() => go(stepped(flow, context, state, "next"))}
          >
            {words.next}
          </Button>
        </Group>
        <Share share={isOver ? 1 : shareOf(play)} />
      </div>
      <Variables document={document} values={values} />
      <AllPaths document={document} play={play} users={users} />
    </Stack>
  );
}

/** Return the share that the page shows: by the logic, or by the number of the screen. */
function shareOf({ session: { logic, state }, flow }: Play): number {
  const place = flow.screens.findIndex(({ id }) => id === state.screenId);
  return logic ? state.progress : (place + 1) / Math.max(1, flow.screens.length);
}

function Share({ share }: { share: number }) {
  const percent = Math.round(share * 100);
  return (
    <Group gap="xs" mt="sm" wrap="nowrap">
      <Text size="xs" c="dimmed">
        {words.progress}
      </Text>
      <Progress value={percent} flex={1} size="sm" aria-label={words.progress} />
      <Text size="xs">{percent} %</Text>
    </Group>
  );
}

/** Return the heading of a screen of the path, with the values of the names in it. */
function headingOf({ flow, context, session: { state } }: Play, id: string): string {
  const { screen } = sessionOf(flow, context, { ...state, path: state.path.slice(0, state.path.indexOf(id) + 1) });
  return screen ? heading(screen) : "";
}

function Heading({ text, name, isPresent }: { text: string; name: string; isPresent: boolean }) {
  return text !== "" && text !== name ? (
    <Text size="xs" c={isPresent ? undefined : "dimmed"} lineClamp={2}>
      {text}
    </Text>
  ) : null;
}

/** The values of the variables of the flow at this place of the walk. */
function Variables({ document: { variables = [] }, values }: { document: FlowDocument; values: Json }) {
  if (variables.length === 0) {
    return null;
  }
  return (
    <div>
      <Title order={3} size="h4" mb="xs">
        {words.variables}
      </Title>
      <dl className={classes.values}>
        {variables.map(({ name }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{valueInWords(values[`variables.${name}`])}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
