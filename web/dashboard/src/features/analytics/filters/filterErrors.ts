import { ApiError } from "@/api/errors";
import { analyticsTexts } from "@/features/analytics/texts";
import { sortDetails } from "@/ui/form/fieldErrors";

const FILTERS = { flowId: "", experimentId: "", eventType: "", platform: "", from: "", to: "", period: "" };
type Filter = keyof typeof FILTERS;
export type FilterErrors = Partial<Record<Filter, string>>;

/** Return the errors of the service that are about filters, at their filters. */
export function filterErrors(error: unknown): FilterErrors {
  if (!(error instanceof ApiError)) {
    return {};
  }
  if (error.status === 404) {
    switch (error.code) {
      case "INVALID_FLOW":
        return { flowId: analyticsTexts.unknownFlow };
      case "NOT_FOUND":
        return { experimentId: analyticsTexts.unknownExperiment };
      default:
        return {};
    }
  }
  return sortDetails(error, FILTERS).fields;
}

/** Return whether an error is about a filter, and says so there. */
export function isFilterError(error: unknown): boolean {
  return Object.keys(filterErrors(error)).length > 0;
}
