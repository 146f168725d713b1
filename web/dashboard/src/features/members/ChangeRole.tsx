import { useQuery, useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { api } from "@/api/client";
import { dataOf } from "@/api/responses";
import type { MemberView } from "@/api/schema";
import { membershipQuery, useProjectId } from "@/features/projects/queries";
import { texts } from "@/texts";
import { Dialog } from "@/ui/Dialog";
import { toast } from "@/ui/feedback";
import { ApiFormView } from "@/ui/form/ApiFormView";
import { useApiForm } from "@/ui/form/useApiForm";
import { memberName, rolesToGive } from "./queries";
import { RoleChoice } from "./RoleChoice";

const schema = z.object({ role: z.string() });

/** A dialog that gives a member another role. */
export function ChangeRole({ member, onClose }: { member: MemberView; onClose: () => void }) {
  const projectId = useProjectId();
  const queryClient = useQueryClient();
  const own = useQuery(membershipQuery(projectId)).data?.role;
  const form = useApiForm({
    name: `change-role:${projectId}:${member.user_id}`,
    initialValues: { role: member.role },
    schema,
    submit: async (body) => {
      const params = { path: { project_id: projectId, user_id: member.user_id } };
      await dataOf(api.PUT("/api/projects/{project_id}/members/{user_id}", { params, body }));
      await queryClient.invalidateQueries({ queryKey: ["members", projectId] });
      await queryClient.invalidateQueries({ queryKey: ["membership", projectId] });
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
