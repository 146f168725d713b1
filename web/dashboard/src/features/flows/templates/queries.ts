import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keys } from "@/api/keys";
import { dataOf, pageOf } from "@/api/responses";
import type { FlowCreateBody, FlowTemplateView, ThemeCreateBody } from "@/api/schema";
import { ALL_THEMES, createTheme, themesQuery } from "@/api/themes";

/** The flow templates of the service by their names; they change with a release only. */
export const flowTemplatesQuery = queryOptions({
  queryKey: keys.service.flowTemplates,
  queryFn: async ({ signal }) =>
    (await pageOf(api.GET("/api/flow-templates", { params: { query: { limit: 100, sort: "name" } }, signal }))).items,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Create a flow and return it. */
export function createFlow(body: FlowCreateBody) {
  return dataOf(api.POST("/api/flows", { body }));
}

/** Create a flow from a template and return it; with the template's theme, which is made unless the project has it. */
export async function createFlowFromTemplate(
  queryClient: QueryClient,
  template: FlowTemplateView,
  { hasItsTheme, ...flow }: { projectId: string; name?: string; hasItsTheme: boolean } & Partial<FlowCreateBody>,
) {
  const document = template.document as Omit<FlowCreateBody, "projectId">;
  const theme_id = hasItsTheme ? await themeOf(queryClient, template, flow.projectId) : null;
  return createFlow({ ...document, ...flow, theme_id });
}

async function themeOf(queryClient: QueryClient, { theme }: FlowTemplateView, projectId: string): Promise<string> {
  const { items } = await queryClient.fetchQuery(themesQuery(projectId, ALL_THEMES));
  const body = { ...(theme as Omit<ThemeCreateBody, "projectId">), projectId };
  return (items.find(({ name }) => name === body.name) ?? (await createTheme(body))).id;
}
