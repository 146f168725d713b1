import { Group, Modal, type ModalRootProps } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { texts } from "@/texts";
import { returnFocus } from "../focus";

interface DialogProps {
  title: string;
  size?: ModalRootProps["size"];
  onClose: () => void;
  children: ReactNode;
}

/** A dialog; render it while it is open. */
export function Dialog({ title, size, onClose, children }: DialogProps) {
  // After the dialog has left the page.
  useEffect(() => () => void setTimeout(returnFocus), []);
  return (
    <Modal.Root opened onClose={onClose} size={size}>
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content>
        <Modal.Body p="lg">
          <Group justify="space-between" wrap="nowrap" mb="md">
            <Modal.Title fz={20} lh="28px" fw={550}>
              {title}
            </Modal.Title>
            <Modal.CloseButton aria-label={texts.ui.close} />
          </Group>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
