import type { ReactNode } from "react";
import type { Role } from "@/api/schema";
import { useCan } from "./queries";

/** Children for users with this role or a higher one: the others see no button that would fail. */
export function ForRole({ role, children }: { role: Role; children: ReactNode }) {
  return useCan(role) ? children : null;
}
