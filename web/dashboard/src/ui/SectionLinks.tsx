import { Group, NavLink, type NavLinkProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ComponentPropsWithRef, ReactNode } from "react";

/** The sections of a view, as a row of links; `label` is its name for screen readers. */
export function SectionLinks({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Group component="nav" aria-label={label} gap={4} mb="lg">
      {children}
    </Group>
  );
}

type LinkProps = NavLinkProps & Omit<ComponentPropsWithRef<"a">, "color" | "style">;

/** The link of a section. */
export const SectionLink = createLink((props: LinkProps) => (
  <NavLink component="a" w="auto" px="sm" py={6} style={{ borderRadius: 8 }} {...props} />
));
