import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keys } from "@/api/keys";
import { dataOf, pageOf, type Tagged, taggedOf } from "@/api/responses";
import type {
  ExperimentCreateBody,
  ExperimentResultsView,
  ExperimentStatus,
  ExperimentUpdateBody,
  ExperimentView,
} from "@/api/schema";
import type { ExperimentSort } from "./searches";

export interface ExperimentsSearch {
  page?: number;
  limit?: number;
  sort?: ExperimentSort;
  search?: string;
  status?: ExperimentStatus;
}

/** The experiments of a project with their users, a page at a time. */
export function experimentsQuery(projectId: string, search: ExperimentsSearch) {
  return queryOptions({
    queryKey: [...keys.experiments.list, projectId, search],
    queryFn: ({ signal }) =>
      pageOf(api.GET("/api/experiments", { params: { query: { projectId, include: "users", ...search } }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** One experiment with its entity tag. */
export function experimentQuery(experimentId: string) {
  return queryOptions({
    queryKey: [...keys.experiments.one, experimentId],
    queryFn: ({ signal }) =>
      taggedOf(
        api.GET("/api/experiments/{experiment_id}", { params: { path: { experiment_id: experimentId } }, signal }),
      ),
  });
}

/** The results of an experiment, with its days. */
export function resultsQuery(experimentId: string) {
  return queryOptions({
    queryKey: [...keys.experiments.results, experimentId],
    queryFn: async ({ signal }) => {
      const params = { path: { experiment_id: experimentId }, query: { include: "series" as const } };
      const results = await dataOf(api.GET("/api/experiments/{experiment_id}/results", { params, signal }));
      // The client's type of a response has arrays in place of pairs.
      return results as ExperimentResultsView;
    },
  });
}

export interface EstimateSearch {
  primary_event: string;
  traffic_percentage: number;
  smallest_weight: number;
  lift_percentage: number;
}

/** The users and days that an experiment needs. */
export function estimateQuery(projectId: string, search: EstimateSearch) {
  return queryOptions({
    queryKey: [...keys.experiments.estimate, projectId, search],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/experiments/estimate", { params: { query: { projectId, ...search } }, signal })),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

/** Create a draft and return it. */
export function createExperiment(body: ExperimentCreateBody) {
  return dataOf(api.POST("/api/experiments", { body }));
}

/** Change members of an experiment as it was read, and return it with its new entity tag. */
export function updateExperiment({ data, etag }: Tagged<ExperimentView>, body: ExperimentUpdateBody) {
  return taggedOf(api.PUT("/api/experiments/{experiment_id}", { params: ofExperiment(data.id, etag), body }));
}

/** Return the parameters of a change of the experiment that has this entity tag. */
function ofExperiment(experimentId: string, etag: string | null) {
  return { path: { experiment_id: experimentId }, header: etag ? { "If-Match": etag } : undefined };
}

/** Start a draft, or resume a paused experiment. */
export function startExperiment(experimentId: string, etag: string | null) {
  return taggedOf(api.POST("/api/experiments/{experiment_id}/start", { params: ofExperiment(experimentId, etag) }));
}

/** Let no new user into an experiment. */
export function pauseExperiment(experimentId: string, etag: string | null) {
  return taggedOf(api.POST("/api/experiments/{experiment_id}/pause", { params: ofExperiment(experimentId, etag) }));
}

/** End an experiment; the flow of the winner, if there is one, becomes the default. */
export function completeExperiment(experimentId: string, winner: string | null, etag: string | null) {
  const params = ofExperiment(experimentId, etag);
  return dataOf(api.POST("/api/experiments/{experiment_id}/complete", { params, body: { winner } }));
}

/** Delete a draft or a completed experiment. */
export function deleteExperiment(experimentId: string) {
  return api.DELETE("/api/experiments/{experiment_id}", { params: { path: { experiment_id: experimentId } } });
}
