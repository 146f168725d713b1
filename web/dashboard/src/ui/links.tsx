import {
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
  Menu,
  type MenuItemProps,
  NavLink,
  type NavLinkProps,
} from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ComponentPropsWithRef } from "react";

type Native = Omit<ComponentPropsWithRef<"a">, "color" | "style">;

/** Mantine's components as typed links of the router. */
export const AnchorLink = createLink((props: AnchorProps & Native) => <Anchor {...props} />);
export const ButtonLink = createLink((props: ButtonProps & Native) => <Button component="a" {...props} />);
export const NavLinkLink = createLink((props: NavLinkProps & Native) => <NavLink component="a" {...props} />);
export const MenuItemLink = createLink((props: MenuItemProps & Native) => <Menu.Item component="a" {...props} />);
