/** A dialog over the whole page: the browser keeps the focus in it, and makes the page behind it inert. */

export interface Modal {
  element: HTMLElement;
  close(): void;
}

const LOOK: Record<string, string> = {
  position: "fixed",
  inset: "0",
  width: "100%",
  height: "100%",
  "max-width": "none",
  "max-height": "none",
  margin: "0",
  padding: "0",
  border: "0",
  background: "transparent",
  overflow: "hidden",
};

/** Open a dialog. `onEscape` is called for Escape and for the system's way back. */
export function openModal(label: string, onEscape: () => void): Modal {
  const dialog = document.createElement("dialog");
  const { activeElement, documentElement } = document;
  const { overflow } = documentElement.style;
  for (const [name, value] of Object.entries(LOOK)) {
    dialog.style.setProperty(name, value);
  }
  dialog.setAttribute("aria-label", label);
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      // The browser would close the dialog at the second Escape, whatever the page says.
      event.preventDefault();
      onEscape();
    }
  });
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    onEscape();
  });
  document.body.append(dialog);
  dialog.showModal();
  documentElement.style.overflow = "hidden";
  return {
    element: dialog,
    close() {
      dialog.remove();
      documentElement.style.overflow = overflow;
      (activeElement as HTMLElement | null)?.focus?.();
    },
  };
}
