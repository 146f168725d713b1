import { Skeleton } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { membershipQuery, projectQuery, useProjectId } from "@/features/projects/queries";
import { NotFoundState, QueryView } from "@/ui/states";
import { Editor } from "./Editor";
import classes from "./Editor.module.css";
import { editedQuery } from "./queries";

const route = getRouteApi("/projects/$projectId/flows/$flowId/");

/** The editor of a flow. It loads the flow again when the draft is published or discarded. */
export function FlowEditorPage() {
  const { flowId } = route.useParams();
  return <LoadedEditor key={flowId} flowId={flowId} />;
}

function LoadedEditor({ flowId }: { flowId: string }) {
  const projectId = useProjectId();
  const queryClient = useQueryClient();
  const [restarts, setRestarts] = useState(0);
  const project = useQuery(projectQuery(projectId));
  const membership = useQuery(membershipQuery(projectId));
  const edited = useQuery(editedQuery(flowId));

  async function restart() {
    await queryClient.fetchQuery({ ...editedQuery(flowId), staleTime: 0 });
    setRestarts((count) => count + 1);
    // The button that was used is gone: the keyboard goes on from the beginning of the view.
    document.getElementById("content")?.focus({ preventScroll: true });
  }

  return (
    <div data-full-width>
      <QueryView query={edited} isPage skeleton={<EditorSkeleton />}>
        {(flow) =>
          flow.flow.project_id !== projectId ? (
            <NotFoundState titleOrder={1} />
          ) : project.data && membership.data ? (
            <Editor
              key={restarts}
              edited={flow}
              projectName={project.data.data.name}
              canEdit={membership.data.role !== "viewer"}
              onRestart={() => void restart()}
            />
          ) : (
            <EditorSkeleton />
          )
        }
      </QueryView>
    </div>
  );
}

function EditorSkeleton() {
  return (
    <>
      <Skeleton height={32} width={240} mb="lg" />
      <div className={classes.editor} aria-busy="true">
        <Skeleton height={280} />
        <Skeleton height="100%" maw={320} mx="auto" radius={32} />
        <Skeleton height={400} />
      </div>
    </>
  );
}
