import { Kbd, Table } from "@mantine/core";
import { texts } from "@/texts";
import { Dialog } from "@/ui/feedback/Dialog";

/** The list of the keyboard's shortcuts. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={texts.app.shortcuts} onClose={onClose}>
      <Table aria-label={texts.app.shortcuts}>
        <Table.Tbody>
          {texts.app.shortcutKeys.map(([keys, action]) => (
            <Table.Tr key={keys}>
              <Table.Td>{action}</Table.Td>
              <Table.Td ta="end">
                <Kbd>{keys}</Kbd>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  );
}
