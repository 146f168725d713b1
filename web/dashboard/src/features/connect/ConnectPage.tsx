import { Anchor, Code, Stack, Text, Title } from "@mantine/core";
import { useId } from "react";
import { PageHeader } from "@/ui/PageHeader";
import { LastHeard } from "./LastHeard";
import { Lines } from "./Lines";
import { EVENT, OPEN_FEATURE, RESOLVE, type Target } from "./requests";
import { SDK } from "./sdk";
import { connectTexts } from "./texts";
import { WEB_VIEWS } from "./webViews";

/** The ways to connect an app, in the order of the page. A further one is a row here and a text. */
const WAYS = {
  sdk: SDK,
  resolve: RESOLVE,
  page: WEB_VIEWS,
  event: EVENT,
  openFeature: OPEN_FEATURE,
} as const satisfies Record<keyof typeof connectTexts.ways, readonly Target[]>;

/** How an app gets flows and reports events, with the values of the project, and what was heard of it. */
export function ConnectPage() {
  return (
    <>
      <PageHeader title={connectTexts.title} text={connectTexts.help} />
      <Stack gap="xl" maw={880}>
        <LastHeard />
        {(Object.keys(WAYS) as (keyof typeof WAYS)[]).map((way) => (
          <Way key={way} {...connectTexts.ways[way]} targets={WAYS[way]} />
        ))}
      </Stack>
    </>
  );
}

interface WayProps {
  title: string;
  text: string;
  document: string;
  targets: readonly Target[];
}

function Way({ title, text, document, targets }: WayProps) {
  const id = useId();
  return (
    <Stack component="section" gap="xs" aria-labelledby={id}>
      <Title order={2} id={id}>
        {title}
      </Title>
      <Text c="dimmed">{text}</Text>
      <Lines label={title} targets={targets} />
      <Text size="sm" c="dimmed">
        {connectTexts.more} <Code>{document}</Code> {connectTexts.or}{" "}
        <Anchor href="/api/docs" target="_blank" inherit underline="always">
          {connectTexts.reference}
        </Anchor>
      </Text>
    </Stack>
  );
}
