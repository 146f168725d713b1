import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useProjectId } from "@/api/projects";
import { analyticsTexts } from "@/features/analytics/texts";
import { texts } from "@/texts";
import { flowChoicesQuery, flowQuery } from "../queries";

interface FlowFilterProps {
  /** The chosen flow; null is all of them where `anyFlow` is set. */
  flowId: string | null;
  anyFlow?: boolean;
  error?: string;
  onChoose: (flowId: string | undefined) => void;
}

const TYPING_MILLISECONDS = 250;

/** One of the project's flows; the service searches them where they are many. */
export function FlowFilter({ flowId, anyFlow = false, error, onChoose }: FlowFilterProps) {
  const projectId = useProjectId();
  const choices = useQuery(flowChoicesQuery(projectId)).data;
  const isListed = choices?.flows.some(({ id }) => id === flowId) ?? true;
  const unlisted = useQuery({ ...flowQuery(flowId ?? ""), enabled: flowId !== null && !isListed }).data;
  const chosen = choices?.flows.find(({ id }) => id === flowId) ?? unlisted;

  const [typed, setTyped] = useState("");
  const [words] = useDebouncedValue(typed === chosen?.name ? "" : typed.trim(), TYPING_MILLISECONDS);
  const isSearched = choices?.isCut ?? false;
  const found = useQuery({ ...flowChoicesQuery(projectId, words), enabled: isSearched && words !== "" }).data;
  const names = new Map((found ?? choices)?.flows.map(({ id, name }) => [id, name]));
  if (flowId !== null) {
    names.set(flowId, chosen?.name ?? "");
  }
  return (
    <Select
      aria-label={analyticsTexts.flow}
      placeholder={anyFlow ? analyticsTexts.anyFlow : analyticsTexts.flow}
      error={error}
      searchable
      clearable={anyFlow}
      allowDeselect={anyFlow}
      nothingFoundMessage={texts.ui.noMatch}
      data={Array.from(names, ([value, label]) => ({ value, label }))}
      filter={isSearched ? ({ options }) => options : undefined}
      searchValue={typed}
      onSearchChange={setTyped}
      value={flowId}
      onChange={(id) => onChoose(id ?? undefined)}
      w={{ base: "100%", sm: 260 }}
    />
  );
}
