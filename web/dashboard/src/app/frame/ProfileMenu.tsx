import {
  Avatar,
  type MantineColorScheme,
  Menu,
  Text,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from "@mantine/core";
import { IconDeviceDesktop, IconKey, IconLogout, IconMoon, IconSun } from "@tabler/icons-react";
import { useDashboard } from "@/api/dashboard";
import { texts } from "@/texts";
import { dropKeptWork } from "@/ui/form/keptKeys";
import { MenuItemLink } from "@/ui/links";
import classes from "./Frame.module.css";

const SCHEMES = [
  { scheme: "light", label: texts.app.light, Icon: IconSun },
  { scheme: "dark", label: texts.app.dark, Icon: IconMoon },
  { scheme: "auto", label: texts.app.system, Icon: IconDeviceDesktop },
] as const;

/** The user's menu: API Keys, appearance, sign out. */
export function ProfileMenu() {
  const { session } = useDashboard();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { name, email } = session.user;
  const signOut = () => {
    dropKeptWork();
    void session.signOut();
  };
  return (
    <Menu width={224}>
      <Menu.Target>
        <UnstyledButton className={classes.profile}>
          <Avatar size={28} name={name} color="gray" radius="xl" aria-hidden />
          <VisuallyHidden>{`${texts.app.profile}: ${name}`}</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={550} c="var(--mantine-color-text)" truncate>
            {name}
          </Text>
          {email && email !== name && (
            <Text size="xs" truncate>
              {email}
            </Text>
          )}
        </Menu.Label>
        <MenuItemLink to="/api-keys" leftSection={<IconKey size={18} />}>
          {texts.app.apiKeys}
        </MenuItemLink>
        <Menu.Divider />
        <Menu.Label>{texts.app.appearance}</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}>
          {SCHEMES.map(({ scheme, label, Icon }) => (
            <Menu.RadioItem key={scheme} value={scheme} closeMenuOnClick rightSection={<Icon size={18} />}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={18} />} onClick={signOut}>
          {texts.app.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
