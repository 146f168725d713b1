import { Alert, List, Text } from "@mantine/core";
import { formatCount } from "@/ui/values/format";
import { mediaIdsIn } from "./references";
import { mediaTexts } from "./texts";
import { useMediaFiles } from "./useMediaFiles";
import { totalOf, weightsOf } from "./weights";

const words = mediaTexts.weight;

interface PageWeightProps {
  /** The screens with their names: one, or all of a flow. */
  screens: readonly { name: string; screen: unknown }[];
}

const kilobytes = (bytes: number) => formatCount(Math.ceil(bytes / 1024));

/** The bytes of the files of screens that a phone loads, and what to do about heavy ones; nothing without a file. */
export function PageWeight({ screens }: PageWeightProps) {
  const files = useMediaFiles(mediaIdsIn(screens));
  const weighed = screens
    .map(({ name, screen }) => ({ name, weights: weightsOf(screen, files) }))
    .filter(({ weights }) => weights.length > 0);
  const all = weighed.flatMap(({ weights }) => weights);
  const heavy = [...new Map(all.filter(({ isHeavy }) => isHeavy).map((weight) => [weight.file.id, weight])).values()];
  if (all.length === 0) {
    return null;
  }
  return (
    <section aria-label={words.title}>
      <Text size="sm">
        {screens.length === 1 ? words.ofScreen(kilobytes(totalOf(all))) : words.ofFlow(kilobytes(totalOf(all)))}
      </Text>
      {screens.length > 1 && (
        <List size="sm" c="dimmed">
          {weighed.map(({ name, weights }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: screens may have equal names
            <List.Item key={place}>{words.part(name, kilobytes(totalOf(weights)))}</List.Item>
          ))}
        </List>
      )}
      {heavy.map(({ file, bytes }) => (
        <Alert key={file.id} color="yellow" mt="xs" p="xs">
          {words.heavy(file.name, kilobytes(bytes))} {words.advice[file.kind]}
        </Alert>
      ))}
    </section>
  );
}
