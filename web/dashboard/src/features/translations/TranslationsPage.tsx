import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { flowQuery } from "@/features/analytics/queries";
import { ButtonLink } from "@/ui/links";
import { QueryView, TextSkeleton } from "@/ui/states";
import { Translations } from "./Translations";
import { translationTexts as words } from "./texts";

const route = getRouteApi("/projects/$projectId/flows/$flowId/translations");

/** The translations of a flow: a language at a time, edited in place, and files of them. */
export function TranslationsPage() {
  const { flowId, projectId } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate({ from: route.id });
  const flow = useQuery(flowQuery(flowId));
  return (
    <QueryView query={flow} isPage skeleton={<TextSkeleton />}>
      {({ name }) => (
        <Translations
          scope={{ flowId }}
          projectId={projectId}
          object={name}
          search={search}
          onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
          action={
            <ButtonLink to="/projects/$projectId/translations" params={{ projectId }} variant="default">
              {words.allFlows}
            </ButtonLink>
          }
        />
      )}
    </QueryView>
  );
}
