import type { FlowView, ProjectUpdateBody, ProjectView } from "@/api/schema";

/** The values of the form: empty words in place of null. */
export function valuesOf(project: ProjectView) {
  const { settings } = project;
  return {
    name: project.name,
    description: project.description ?? "",
    settings: { ...settings, custom_domain: settings.custom_domain ?? "" },
  };
}

/** Return the body of the change: empty words clear a member. */
export function bodyOf(values: ReturnType<typeof valuesOf>): ProjectUpdateBody {
  const { settings } = values;
  return {
    name: values.name.trim(),
    description: values.description.trim() || null,
    settings: {
      ...settings,
      custom_domain: settings.custom_domain.trim().toLowerCase() || null,
      required_approvals: Number(settings.required_approvals) || 0,
    },
  };
}

/** Return the choices of the default flow. The present one stays a choice when the page of flows lacks it. */
export function flowOptions(flows: readonly Pick<FlowView, "id" | "name">[], present: string | null) {
  const options = flows.map(({ id, name }) => ({ value: id, label: name }));
  const isListed = present === null || options.some(({ value }) => value === present);
  return isListed ? options : [...options, { value: present, label: present }];
}
