import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { toastError } from "@/ui/feedback/feedback";
import { saveFile } from "@/ui/saveFile";
import { analyticsTexts } from "./texts";

interface DownloadCsvProps {
  /** Fetches the file. */
  load: () => Promise<Blob>;
  fileName: string;
  /** A limit of the file, as the title of the button. */
  help?: string;
  disabled?: boolean;
}

/** Saves the rows of the present filters as a file. */
export function DownloadCsv({ load, fileName, help, disabled }: DownloadCsvProps) {
  const download = useMutation({
    mutationFn: load,
    onSuccess: (content) => saveFile(content, fileName),
    onError: (error) => toastError(error),
  });
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} />}
      title={disabled ? analyticsTexts.nothingToDownload : help}
      disabled={disabled}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      {analyticsTexts.download}
    </Button>
  );
}
