import { createContext, useContext } from "react";
import type { DashboardConfig } from "./config";
import type { Session } from "./session/session";

/** The settings and the session of this page load, for every component. */
export interface Dashboard {
  config: DashboardConfig;
  session: Session;
}

const DashboardContext = createContext<Dashboard | null>(null);

export const DashboardProvider = DashboardContext.Provider;

/** Return the settings and the session. */
export function useDashboard(): Dashboard {
  const dashboard = useContext(DashboardContext);
  if (dashboard === null) {
    throw new Error("useDashboard needs a DashboardProvider");
  }
  return dashboard;
}
