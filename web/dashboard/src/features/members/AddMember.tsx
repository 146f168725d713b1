import { TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { ApiError } from "@/api/errors";
import { membershipQuery, useProjectId } from "@/api/projects";
import type { Role } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { Dialog } from "@/ui/feedback/Dialog";
import { toast } from "@/ui/feedback/feedback";
import { ApiFormView } from "@/ui/form/ApiFormView";
import { useApiForm } from "@/ui/form/useApiForm";
import { addMember, memberName, rolesToGive } from "./queries";
import { RoleChoice } from "./RoleChoice";
import { memberTexts } from "./texts";

/** Throw an error again; a 404 for an unknown person as an error of the e-mail address, with advice. */
function throwAtEmail(error: unknown): never {
  if (error instanceof ApiError && error.status === 404) {
    const message = memberTexts.notSignedIn(`${window.location.origin}/dashboard/`);
    const detail = { field: "email", code: "INVALID_PARAMETER" as const, message };
    throw new ApiError(error.message, error.status, error.code, [detail], error.requestId);
  }
  throw error;
}

const schema = z.object({ email: z.email(memberTexts.emailInvalid) });

/** A dialog that adds a member by e-mail address. */
export function AddMember({ onClose }: { onClose: () => void }) {
  const projectId = useProjectId();
  const invalidate = useInvalidate();
  const own = useQuery(membershipQuery(projectId)).data?.role;
  const form = useApiForm({
    name: `add-member:${projectId}`,
    initialValues: { email: "", role: "viewer" as Role },
    schema,
    submit: async (body) => {
      const member = await addMember(projectId, body).catch(throwAtEmail);
      await invalidate("member");
      toast(memberTexts.added(memberName(member)));
      onClose();
    },
  });
  return (
    <Dialog title={memberTexts.add} onClose={onClose}>
      <ApiFormView form={form} submitLabel={memberTexts.add} onCancel={onClose}>
        <TextInput
          data-autofocus
          type="email"
          label={memberTexts.email}
          {...form.field("email", memberTexts.emailHelp)}
        />
        <RoleChoice roles={rolesToGive(own)} {...form.field("role")} />
      </ApiFormView>
    </Dialog>
  );
}
