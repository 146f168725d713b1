/** A branch of the tree of keys: `all` is the beginning of the keys of its queries, the others of one query each. */
type Branch<Name extends string> = Record<"all" | Name, readonly string[]>;

function branch<const Name extends string>(branchName: string, ...names: Name[]): Branch<Name> {
  const entries = names.map((name) => [name, [branchName, name]]);
  return Object.fromEntries([["all", [branchName]], ...entries]) as Branch<Name>;
}

/** The tree of the keys of all queries. A query appends what it depends on: `[...keys.flows.list, projectId, search]`. */
export const keys = {
  analytics: branch("analytics", "statistics", "funnel", "paths", "counts", "events", "responses"),
  audit: branch("audit", "log"),
  draft: branch("draft", "store", "review", "problems", "previewLink"),
  experiments: branch("experiments", "list", "choices", "names", "one", "results", "estimate"),
  flows: branch("flows", "list", "order", "one", "versions", "schedules", "explanation", "translations"),
  members: branch("members", "list", "names", "own"),
  projects: branch("projects", "list", "one", "qaDevices", "secretKeys"),
  service: branch("service", "config", "templates", "flowTemplates"),
  themes: branch("themes", "list", "one", "versions"),
  user: branch("user", "own", "apiKey"),
  // A version never changes.
  version: branch("version", "document", "tag"),
};
