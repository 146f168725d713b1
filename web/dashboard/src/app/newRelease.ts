import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { fetchConfig } from "@/api/config";
import { useDashboard } from "@/api/dashboard";

const CHECK_MILLISECONDS = 5 * 60_000;

/**
 * Return whether the service has another release than this page: by its settings, which are read again every five
 * minutes and when the window gets the focus, or because a chunk of this release is gone.
 */
export function useNewRelease(): boolean {
  const { config } = useDashboard();
  const [chunkMissing, setChunkMissing] = useState(false);
  const { data } = useQuery({
    queryKey: ["config"],
    queryFn: fetchConfig,
    initialData: config,
    staleTime: CHECK_MILLISECONDS,
    refetchInterval: CHECK_MILLISECONDS,
  });
  useEffect(() => {
    const missed = () => setChunkMissing(true);
    window.addEventListener("vite:preloadError", missed);
    return () => window.removeEventListener("vite:preloadError", missed);
  }, []);
  return chunkMissing || data.release !== config.release;
}
