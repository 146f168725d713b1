import { api } from "@/api/client";
import { dataOf } from "@/api/responses";

/** Return a screen of a live flow. */
export function screenOf(screenId: string) {
  return dataOf(api.GET("/api/screens/{screen_id}", { params: { path: { screen_id: screenId } } }));
}
