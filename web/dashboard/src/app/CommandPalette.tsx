import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight, type SpotlightActionGroupData } from "@mantine/spotlight";
import { IconFolder, IconKey, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { projectsQuery } from "@/features/projects/queries";
import { texts } from "@/texts";
import { PROJECT_VIEWS } from "./Sidebar";

const FOUND = 5;
const DELAY_MILLISECONDS = 200;

/** Ctrl+K: views by their names, and projects by the service's search. */
export default function CommandPalette() {
  const navigate = useNavigate();
  const { projectId } = useParams({ strict: false });
  const [words, setWords] = useState("");
  const [search] = useDebouncedValue(words.trim(), DELAY_MILLISECONDS);
  const found = useQuery({ ...projectsQuery({ search, limit: FOUND }), enabled: search !== "" });

  const views = projectId
    ? PROJECT_VIEWS.map(({ to, label, Icon }) => ({
        id: to,
        label,
        leftSection: <Icon size={18} />,
        onClick: () => void navigate({ to, params: { projectId } }),
      }))
    : [];
  const actions: SpotlightActionGroupData[] = [
    {
      group: texts.app.goTo,
      actions: [
        ...views,
        {
          id: "projects",
          label: texts.app.allProjects,
          leftSection: <IconFolder size={18} />,
          onClick: () => void navigate({ to: "/projects" }),
        },
        {
          id: "api-keys",
          label: texts.app.apiKeys,
          leftSection: <IconKey size={18} />,
          onClick: () => void navigate({ to: "/api-keys" }),
        },
      ],
    },
    {
      group: texts.app.projects,
      actions: (search === "" ? [] : (found.data?.items ?? [])).map((project) => ({
        id: project.id,
        label: project.name,
        leftSection: <IconFolder size={18} />,
        onClick: () => void navigate({ to: "/projects/$projectId", params: { projectId: project.id } }),
      })),
    },
  ];

  return (
    <Spotlight
      actions={actions}
      query={words}
      onQueryChange={setWords}
      shortcut="mod + K"
      nothingFound={texts.app.searchNothing}
      highlightQuery
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: texts.app.searchPlaceholder,
        "aria-label": texts.app.search,
      }}
    />
  );
}
