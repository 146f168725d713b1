import { queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keys } from "@/api/keys";
import { dataOf } from "@/api/responses";

/** The personal API key of the user. */
export const apiKeyQuery = queryOptions({
  queryKey: keys.user.apiKey,
  queryFn: ({ signal }) => dataOf(api.GET("/api/user/api-key", { signal })),
});

/** Replace the personal API key and return the new one. */
export function rotateApiKey() {
  return dataOf(api.POST("/api/user/api-key/rotate"));
}

/** The keys of a project. Admins can read them. */
export function secretKeysQuery(projectId: string) {
  return queryOptions({
    queryKey: [...keys.projects.secretKeys, projectId],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/projects/{project_id}/api-keys", { params: { path: { project_id: projectId } }, signal })),
  });
}

/** Create a secret key, let the present ones expire after some seconds, and return the keys of the project. */
export function rotateSecretKey(projectId: string, gracePeriodSeconds: number) {
  const params = { path: { project_id: projectId } };
  const body = { grace_period_seconds: gracePeriodSeconds };
  return dataOf(api.POST("/api/projects/{project_id}/api-keys/rotate", { params, body }));
}
