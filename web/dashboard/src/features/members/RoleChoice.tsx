import { Radio, Stack } from "@mantine/core";
import type { Role } from "@/api/schema";
import { memberTexts } from "./texts";

interface RoleChoiceProps {
  roles: readonly Role[];
  value?: string;
  onChange?: (role: string) => void;
}

/** The choice of a role, with the rights that it has in words. */
export function RoleChoice({ roles, ...input }: RoleChoiceProps) {
  return (
    <Radio.Group label={memberTexts.role} {...input}>
      <Stack gap="sm" mt="xs">
        {roles.map((role) => (
          <Radio key={role} value={role} label={memberTexts.roles[role]} description={memberTexts.roleHelp[role]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
