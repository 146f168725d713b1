import { Text } from "@mantine/core";
import { IconAlertCircle, IconAlertTriangle, IconDoorExit, IconEye } from "@tabler/icons-react";
import classes from "./FlowMap.module.css";
import { type MapScreen, marksOf, shareInWords } from "./graph";

/** A screen as a small phone, with its name, its type, its condition and a mark for problems. */
export function ScreenPhone({ screen }: { screen: MapScreen }) {
  const marks = marksOf(screen);
  const isWrong = screen.errors.length > 0;
  const Mark = isWrong ? IconAlertCircle : IconAlertTriangle;
  return (
    <span className={classes.phone} data-unreachable={!screen.isReachable || undefined}>
      <Text component="span" size="sm" fw={550} lineClamp={3} className={classes.name}>
        {screen.name}
      </Text>
      <Text component="span" size="xs" c="dimmed" lineClamp={1}>
        {screen.type}
      </Text>
      {screen.showIf !== null && (
        <Text component="span" size="xs" lineClamp={2} title={screen.showIf}>
          <IconEye size={14} className={classes.icon} /> {screen.showIf}
        </Text>
      )}
      {screen.lost && (
        <Text component="span" size="xs" className={classes.lost}>
          <IconDoorExit size={14} className={classes.icon} /> {shareInWords(screen.lost)}
        </Text>
      )}
      {marks.length > 0 && (
        <Text component="span" size="xs" lineClamp={2} className={classes.mark} data-wrong={isWrong || undefined}>
          <Mark size={14} className={classes.icon} /> {marks[0]}
        </Text>
      )}
    </span>
  );
}
