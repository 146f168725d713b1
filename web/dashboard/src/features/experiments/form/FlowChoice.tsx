import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useProjectId } from "@/api/projects";
import { flowsQuery } from "@/features/flows/queries";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";
import { experimentTexts } from "../texts";

const words = experimentTexts.form;
const TYPING_MILLISECONDS = 250;

interface FlowChoiceProps {
  /** The chosen flow; its id is empty while there is none. */
  flow: { id: string; name: string };
  label: string;
  error?: ReactNode;
  help?: string;
  onChoose: (flow: { id: string; name: string }) => void;
}

/** One of the project's flows; the service searches them. Archived ones are left out. */
export function FlowChoice({ flow, label, error, help, onChoose }: FlowChoiceProps) {
  const [typed, setTyped] = useState(flow.name);
  const [search] = useDebouncedValue(typed === flow.name ? "" : typed.trim(), TYPING_MILLISECONDS);
  const flows = useQuery({ ...flowsQuery(useProjectId(), search === "" ? {} : { search }), ...OPTIONAL_QUERY });
  const names = new Map(
    flows.data?.items.filter(({ status }) => status !== "archived").map(({ id, name }) => [id, name]),
  );
  if (flow.id !== "") {
    names.set(flow.id, flow.name);
  }
  return (
    <Select
      searchable
      label={label}
      placeholder={words.flowPlaceholder}
      description={error ? undefined : help}
      error={error}
      allowDeselect={false}
      nothingFoundMessage={flows.data && words.flowNothing}
      data={Array.from(names, ([value, name]) => ({ value, label: name }))}
      filter={({ options }) => options}
      searchValue={typed}
      onSearchChange={setTyped}
      value={flow.id || null}
      onChange={(id) => id !== null && onChoose({ id, name: names.get(id) ?? id })}
    />
  );
}
