import { Stack, Table, Title } from "@mantine/core";
import type { EventView } from "@/api/schema";
import { CodeBlock } from "@/ui/copy";
import { Dialog } from "@/ui/feedback/Dialog";
import { Time } from "@/ui/values/format";
import { analyticsTexts } from "./texts";

const words = analyticsTexts.events;
const FIELDS = Object.keys(words.fields) as (keyof typeof words.fields)[];

interface EventDetailsProps {
  event: EventView;
  flowNames: ReadonlyMap<string, string>;
  onClose: () => void;
}

/** One event with all its fields and properties. */
export function EventDetails({ event, flowNames, onClose }: EventDetailsProps) {
  return (
    <Dialog title={words.details(event.event_type)} size="lg" onClose={onClose}>
      <Stack gap="md">
        <Table aria-label={words.details(event.event_type)}>
          <Table.Tbody>
            {FIELDS.filter((field) => event[field] !== null).map((field) => (
              <Table.Tr key={field}>
                <Table.Th scope="row" fw={400} c="dimmed" w={120}>
                  {words.fields[field]}
                </Table.Th>
                <Table.Td style={{ overflowWrap: "anywhere" }}>
                  {field === "timestamp" || field === "received_at" ? (
                    <Time value={event[field]} />
                  ) : field === "flow_id" ? (
                    (flowNames.get(event.flow_id ?? "") ?? event.flow_id)
                  ) : (
                    event[field]
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Title order={3} size="h4">
          {words.properties}
        </Title>
        <CodeBlock code={JSON.stringify(event.properties, null, 2)} />
      </Stack>
    </Dialog>
  );
}
