import { Button } from "@mantine/core";
import { texts } from "@/texts";

/** The button that switches between a chart and its table. */
export function TableToggle({ asTable, onToggle }: { asTable: boolean; onToggle: () => void }) {
  return (
    <Button variant="subtle" color="gray" size="compact-sm" onClick={onToggle} aria-pressed={asTable}>
      {asTable ? texts.charts.asChart : texts.charts.asTable}
    </Button>
  );
}
