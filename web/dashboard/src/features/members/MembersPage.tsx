import { Button, Menu, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconCrown, IconPlus, IconTrash, IconUserCog } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { membershipQuery, useCan, useProjectId } from "@/api/projects";
import type { MemberView } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { Confirm } from "@/ui/feedback/Confirm";
import { toast } from "@/ui/feedback/feedback";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import type { Column } from "@/ui/table/DataTable";
import { ListView } from "@/ui/table/ListView";
import { RowMenu } from "@/ui/table/RowMenu";
import { Time } from "@/ui/values/format";
import { canChange, memberName, membersQuery, removeMember, transferProject } from "./queries";
import { memberTexts } from "./texts";

const AddMember = lazyDialog(async () => (await import("./AddMember")).AddMember);
const ChangeRole = lazyDialog(async () => (await import("./ChangeRole")).ChangeRole);

const route = getRouteApi("/projects/$projectId/settings/members");

const COLUMNS: readonly Column<MemberView>[] = [
  {
    key: "name",
    header: memberTexts.name,
    sortBy: "name",
    render: (member) => (
      <Stack gap={0} py={4}>
        <Text inherit fw={550}>
          {memberName(member)}
        </Text>
        {member.name !== null && member.email !== null && member.email !== member.name && (
          <Text inherit c="dimmed">
            {member.email}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    key: "role",
    header: memberTexts.role,
    render: ({ role, from_groups }) =>
      from_groups ? (
        <span title={memberTexts.byGroupHelp}>{memberTexts.byGroup(memberTexts.roles[role])}</span>
      ) : (
        memberTexts.roles[role]
      ),
  },
  {
    key: "rights",
    header: memberTexts.rights,
    hideBelow: "md",
    render: (member) => (
      <Text inherit c="dimmed">
        {memberTexts.roleHelp[member.role]}
      </Text>
    ),
  },
  {
    key: "since",
    header: memberTexts.since,
    sortBy: "created_at",
    numeric: true,
    hideBelow: "sm",
    render: (member) => <Time value={member.created_at} />,
  },
];

/** The members of a project: add, change, remove, leave. */
export function MembersPage() {
  const projectId = useProjectId();
  const [adding, { open, close }] = useDisclosure();
  const [changing, setChanging] = useState<MemberView | null>(null);
  const [removing, setRemoving] = useState<MemberView | null>(null);
  const [transferring, setTransferring] = useState<MemberView | null>(null);
  const own = useQuery(membershipQuery(projectId)).data;

  const menu = (member: MemberView) => {
    const isOwn = member.user_id === own?.user_id;
    const mayChange = canChange(own?.role, member);
    return (
      (mayChange || isOwn) && (
        <RowMenu name={memberName(member)}>
          {mayChange && (
            <Menu.Item leftSection={<IconUserCog size={18} />} onClick={() => setChanging(member)}>
              {memberTexts.change}
            </Menu.Item>
          )}
          {own?.role === "owner" && member.role === "admin" && (
            <Menu.Item leftSection={<IconCrown size={18} />} onClick={() => setTransferring(member)}>
              {memberTexts.transfer}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconTrash size={18} />} onClick={() => setRemoving(member)}>
            {isOwn ? memberTexts.leave : memberTexts.remove}
          </Menu.Item>
        </RowMenu>
      )
    );
  };

  return (
    <>
      {adding && <AddMember onClose={close} />}
      {changing && <ChangeRole member={changing} onClose={() => setChanging(null)} />}
      {removing && (
        <RemoveMember member={removing} isOwn={removing.user_id === own?.user_id} onClose={() => setRemoving(null)} />
      )}
      {transferring && <TransferProject member={transferring} onClose={() => setTransferring(null)} />}
      <ListView
        title={memberTexts.title}
        help={memberTexts.help}
        action={
          useCan("admin") && (
            <Button leftSection={<IconPlus size={18} />} onClick={open}>
              {memberTexts.add}
            </Button>
          )
        }
        query={useQuery(membersQuery(projectId, route.useSearch()))}
        columns={COLUMNS}
        rowKey={(member) => member.user_id}
        menu={menu}
      />
    </>
  );
}

interface RemoveMemberProps {
  member: MemberView;
  isOwn: boolean;
  onClose: () => void;
}

/** The question before a member is removed or leaves. */
function RemoveMember({ member, isOwn, onClose }: RemoveMemberProps) {
  const projectId = useProjectId();
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const name = memberName(member);
  async function remove() {
    await removeMember(projectId, member.user_id);
    if (isOwn) {
      await navigate({ to: "/projects" });
      await invalidate("projects");
      toast(memberTexts.left);
    } else {
      await invalidate("member");
      toast(memberTexts.removed(name));
    }
  }
  return (
    <Confirm
      title={isOwn ? memberTexts.leaveTitle : memberTexts.removeTitle(name)}
      text={isOwn ? memberTexts.leaveText : memberTexts.removeText}
      phrase={member.email ?? name}
      action={isOwn ? memberTexts.leave : memberTexts.remove}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}

/** The question before an owner gives the project to an admin. */
function TransferProject({ member, onClose }: { member: MemberView; onClose: () => void }) {
  const projectId = useProjectId();
  const invalidate = useInvalidate();
  const name = memberName(member);
  async function transfer() {
    await transferProject(projectId, member.user_id);
    await invalidate("member");
    toast(memberTexts.transferred(name));
  }
  return (
    <Confirm
      title={memberTexts.transferTitle(name)}
      text={memberTexts.transferText}
      phrase={member.email ?? name}
      action={memberTexts.transfer}
      onConfirm={transfer}
      onClose={onClose}
    />
  );
}
