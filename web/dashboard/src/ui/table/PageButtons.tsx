import { ActionIcon, Group, Text } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import type { Pagination } from "@/api/schema";
import { texts } from "@/texts";
import { formatCount } from "@/ui/values/format";

interface PageButtonsProps {
  pagination: Pagination;
  onPage: (page: number) => void;
}

/** The pages of a list; nothing when there is one page. */
export function PageButtons({ pagination, onPage }: PageButtonsProps) {
  const { page, limit, total, totalPages } = pagination;
  if (totalPages <= 1) {
    return null;
  }
  return (
    <Group justify="flex-end" gap="xs" mt="md">
      <Text size="sm" c="dimmed" style={{ fontVariantNumeric: "tabular-nums" }}>
        {texts.ui.page((page - 1) * limit + 1, Math.min(page * limit, total), formatCount(total))}
      </Text>
      <ActionIcon
        variant="default"
        aria-label={texts.ui.previousPage}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <IconChevronLeft size={18} />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label={texts.ui.nextPage}
        disabled={page >= totalPages}
        onClick={() => onPage(page + 1)}
      >
        <IconChevronRight size={18} />
      </ActionIcon>
    </Group>
  );
}
