import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import type { MemberView } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { membershipQuery, useProjectId } from "@/features/projects/queries";
import { texts } from "@/texts";
import { Dialog } from "@/ui/Dialog";
import { toast } from "@/ui/feedback";
import { ApiFormView } from "@/ui/form/ApiFormView";
import { useApiForm } from "@/ui/form/useApiForm";
import { memberName, rolesToGive, updateMember } from "./queries";
import { RoleChoice } from "./RoleChoice";

const schema = z.object({ role: z.string() });

/** A dialog that gives a member another role. */
export function ChangeRole({ member, onClose }: { member: MemberView; onClose: () => void }) {
  const projectId = useProjectId();
  const invalidate = useInvalidate();
  const own = useQuery(membershipQuery(projectId)).data?.role;
  const form = useApiForm({
    name: `change-role:${projectId}:${member.user_id}`,
    initialValues: { role: member.role },
    schema,
    submit: async (body) => {
      await updateMember(projectId, member.user_id, body);
      await invalidate("member");
      toast(texts.members.changed(memberName(member), texts.members.roles[body.role]));
      onClose();
    },
  });
  return (
    <Dialog title={texts.members.changeTitle(memberName(member))} onClose={onClose}>
      <ApiFormView form={form} submitLabel={texts.members.change} onCancel={onClose}>
        <RoleChoice roles={rolesToGive(own)} {...form.field("role")} />
      </ApiFormView>
    </Dialog>
  );
}
