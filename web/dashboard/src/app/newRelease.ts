import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { fetchConfig } from "@/api/config";
import { useDashboard } from "@/api/dashboard";
import { keys } from "@/api/keys";

const CHECK_MILLISECONDS = 5 * 60_000;

/**
 * Return whether the service serves another release than this page: its settings name another one, or a chunk of this
 * release is missing. The settings are read every five minutes and when the window gets the focus.
 */
export function useNewRelease(): boolean {
  const { config } = useDashboard();
  const [chunkMissing, setChunkMissing] = useState(false);
  const { data } = useQuery({
    queryKey: keys.service.config,
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
