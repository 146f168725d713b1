import { Modal, VisuallyHidden } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight, spotlight } from "@mantine/spotlight";
import { type Icon, IconFlask, IconFolder, IconKey, IconRoute, IconSearch } from "@tabler/icons-react";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { texts } from "@/texts";
import { PROJECT_VIEWS } from "./Sidebar";
import { useFound } from "./useFound";

const DELAY_MILLISECONDS = 200;

interface Action {
  id: string;
  label: string;
  description?: string | undefined;
  Icon: Icon;
  go: () => Promise<void>;
}

/**
 * The dialog of Ctrl+K: views by their names; flows, experiments and projects by the search of the service. It opens
 * whenever `requests` changes.
 */
export default function CommandPalette({ requests }: { requests: number }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number of requests is the event
  useEffect(() => spotlight.open(), [requests]);
  const { projectId } = useParams({ strict: false });
  const [words, setWords] = useState("");
  const groups = useActionGroups(words.trim()).filter(({ actions }) => actions.length > 0);
  return (
    <Spotlight.Root
      query={words}
      onQueryChange={setWords}
      shortcut={null}
      centered={false}
      yOffset="12vh"
      overlayProps={{ blur: 0, backgroundOpacity: 0.4 }}
    >
      <VisuallyHidden component="div">
        <Modal.Title>{texts.app.search}</Modal.Title>
      </VisuallyHidden>
      <Spotlight.Search
        leftSection={<IconSearch size={18} />}
        placeholder={projectId === undefined ? texts.app.searchPlaceholderOutside : texts.app.searchPlaceholder}
        aria-label={texts.app.search}
      />
      <Spotlight.ActionsList>
        {groups.map(({ label, actions }) => (
          <Spotlight.ActionsGroup key={label} label={label}>
            {actions.map((action) => (
              <Spotlight.Action
                key={action.id}
                label={action.label}
                description={action.description}
                leftSection={<action.Icon size={18} />}
                onClick={() => void action.go()}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && <Spotlight.Empty>{texts.app.searchNothing}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

function useActionGroups(words: string): { label: string; actions: Action[] }[] {
  const navigate = useNavigate();
  const { projectId } = useParams({ strict: false });
  const [search] = useDebouncedValue(words, DELAY_MILLISECONDS);
  const { projects, flows, experiments } = useFound(projectId, words === "" ? "" : search);

  const views: Action[] = [
    ...(projectId === undefined
      ? []
      : PROJECT_VIEWS.map(({ to, label, Icon }) => ({
          id: to,
          label,
          Icon,
          go: () => navigate({ to, params: { projectId } }),
        }))),
    { id: "projects", label: texts.app.allProjects, Icon: IconFolder, go: () => navigate({ to: "/projects" }) },
    { id: "api-keys", label: texts.app.apiKeys, Icon: IconKey, go: () => navigate({ to: "/api-keys" }) },
  ];
  return [
    {
      label: texts.app.goTo,
      actions: views.filter(({ label }) => label.toLowerCase().includes(words.toLowerCase())),
    },
    {
      label: texts.app.flows,
      actions: flows.map(({ id, name, project_id, project }) => ({
        id,
        label: name,
        description: project,
        Icon: IconRoute,
        go: () => navigate({ to: "/projects/$projectId/flows/$flowId", params: { projectId: project_id, flowId: id } }),
      })),
    },
    {
      label: texts.app.experiments,
      actions: experiments.map(({ id, name, project_id, project }) => ({
        id,
        label: name,
        description: project,
        Icon: IconFlask,
        go: () =>
          navigate({
            to: "/projects/$projectId/experiments/$experimentId",
            params: { projectId: project_id, experimentId: id },
          }),
      })),
    },
    {
      label: texts.app.projects,
      actions: projects.map(({ id, name }) => ({
        id,
        label: name,
        Icon: IconFolder,
        go: () => navigate({ to: "/projects/$projectId", params: { projectId: id } }),
      })),
    },
  ];
}
