import { Text } from "@mantine/core";
import { texts } from "@/texts";
import { formatSeconds } from "./format";

const DAY_SECONDS = 24 * 3600;
const clock = new Intl.DateTimeFormat("en", { timeStyle: "short", hourCycle: "h23" });

/** How long the present day lasts: days are days in UTC. */
export function TodayLeft({ now = new Date() }: { now?: Date }) {
  const seconds = now.getTime() / 1000;
  const left = DAY_SECONDS - (seconds % DAY_SECONDS);
  return (
    <Text size="sm" c="dimmed">
      {texts.ui.todayLeft(formatSeconds(left), clock.format(new Date((seconds + left) * 1000)))}
    </Text>
  );
}
