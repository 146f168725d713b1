import { Center } from "@mantine/core";
import { ErrorState } from "@/ui/states";

/** The page when the settings of the dashboard could not be read. */
export function StartFailure({ error }: { error: unknown }) {
  return (
    <Center component="main" mih="100vh" p="md">
      <ErrorState titleOrder={1} error={error} onRetry={() => window.location.reload()} />
    </Center>
  );
}
