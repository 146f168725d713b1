import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { DashboardProvider } from "@/api/dashboard";
import { texts } from "@/texts";
import { newQueryClient } from "./queryClient";
import { newRouter } from "./router";
import { SignInPage } from "./SignInPage";
import { StartFailure } from "./StartFailure";
import type { Started } from "./start";
import { cssVariables, theme } from "./theme";

const queryClient = newQueryClient();
const router = newRouter(queryClient);

/** The dashboard, or the page that asks to sign in. */
export function App({ started }: { started: Started }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <section aria-label={texts.app.notifications}>
        <Notifications position="bottom-right" withinPortal={false} />
      </section>
      <Content started={started} />
    </MantineProvider>
  );
}

function Content({ started }: { started: Started }) {
  if ("failure" in started) {
    return <StartFailure error={started.failure} />;
  }
  if ("signedOut" in started) {
    return <SignInPage signedOut={started.signedOut} development={started.config.development_identity} />;
  }
  return (
    <DashboardProvider value={started.dashboard}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </DashboardProvider>
  );
}
