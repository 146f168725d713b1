import { IconFilter } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useProjectId } from "@/api/projects";
import { ButtonLink } from "@/ui/links";
import { EmptyState, ErrorState } from "@/ui/states";
import { analyticsTexts } from "./texts";

interface NoFlowProps {
  flows: UseQueryResult<{ flows: readonly unknown[] }>;
  children: ReactNode;
}

/** The view of a flow, or in its place the reason why there is no flow to show. */
export function NoFlow({ flows, children }: NoFlowProps) {
  const projectId = useProjectId();
  if (flows.isError) {
    return <ErrorState error={flows.error} onRetry={() => void flows.refetch()} />;
  }
  if (flows.data?.flows.length !== 0) {
    return children;
  }
  const openFlows = (
    <ButtonLink to="/projects/$projectId/flows" params={{ projectId }} variant="default">
      {analyticsTexts.openFlows}
    </ButtonLink>
  );
  return (
    <EmptyState
      icon={<IconFilter size={32} stroke={1.5} />}
      title={analyticsTexts.noFlowTitle}
      text={analyticsTexts.noFlowText}
      action={openFlows}
    />
  );
}
