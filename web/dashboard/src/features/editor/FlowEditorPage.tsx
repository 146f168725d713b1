import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { membershipQuery, projectQuery } from "@/api/projects";
import { NotFoundState, QueryView } from "@/ui/states";
import { draftStoreQuery } from "./draft/useDraft";
import { Editor } from "./Editor";
import classes from "./Editor.module.css";

const route = getRouteApi("/projects/$projectId/flows/$flowId/");

/** The editor of a flow. */
export function FlowEditorPage() {
  const { projectId, flowId } = route.useParams();
  const project = useQuery(projectQuery(projectId));
  const membership = useQuery(membershipQuery(projectId));
  const store = useQuery(draftStoreQuery(projectId, flowId));
  return (
    <div data-full-width>
      <QueryView query={store} isPage skeleton={<EditorSkeleton />}>
        {(loaded) =>
          loaded.stored.flow.project_id !== projectId ? (
            <NotFoundState titleOrder={1} />
          ) : project.data && membership.data ? (
            <Editor
              key={flowId}
              store={loaded}
              projectName={project.data.data.name}
              canEdit={membership.data.role !== "viewer"}
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
