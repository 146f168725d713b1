import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { membershipQuery, useProjectId } from "@/api/projects";
import type { MemberView } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { Dialog } from "@/ui/feedback/Dialog";
import { toast } from "@/ui/feedback/feedback";
import { ApiFormView } from "@/ui/form/ApiFormView";
import { useApiForm } from "@/ui/form/useApiForm";
import { memberName, rolesToGive, updateMember } from "./queries";
import { RoleChoice } from "./RoleChoice";
import { memberTexts } from "./texts";

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
      toast(memberTexts.changed(memberName(member), memberTexts.roles[body.role]));
      onClose();
    },
  });
  return (
    <Dialog title={memberTexts.changeTitle(memberName(member))} onClose={onClose}>
      <ApiFormView form={form} submitLabel={memberTexts.change} onCancel={onClose}>
        <RoleChoice roles={rolesToGive(own)} {...form.field("role")} />
      </ApiFormView>
    </Dialog>
  );
}
