import { IconTools } from "@tabler/icons-react";
import { texts } from "@/texts";
import { EmptyState } from "@/ui/states";

/** A view that does not exist yet. */
export function SoonPage() {
  return (
    <EmptyState
      titleOrder={1}
      icon={<IconTools size={32} stroke={1.5} />}
      title={texts.app.soonTitle}
      text={texts.app.soonText}
    />
  );
}
