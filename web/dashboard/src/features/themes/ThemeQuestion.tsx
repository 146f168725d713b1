import { List } from "@mantine/core";
import { WhatUsersGet } from "@/features/audience/WhatUsersGet";
import { texts } from "@/texts";
import { themeTexts } from "./texts";

const words = themeTexts;

interface ThemeQuestionProps {
  projectId: string;
  name: string;
  /** The active flows that show the theme. */
  flows: { id: string; name: string }[];
  changes: string[];
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** The question before a theme changes the look of flows that devices get. */
export function ThemeQuestion({ projectId, name, flows, changes, ...actions }: ThemeQuestionProps) {
  return (
    <WhatUsersGet
      projectId={projectId}
      title={words.saveTitle(name)}
      action={texts.ui.save}
      who={words.devicesOf(flows.map((flow) => flow.name))}
      flow={flows.length === 1 ? flows[0] : undefined}
      {...actions}
    >
      <List size="sm" spacing={4}>
        {changes.map((change) => (
          <List.Item key={change}>{change}</List.Item>
        ))}
      </List>
    </WhatUsersGet>
  );
}
