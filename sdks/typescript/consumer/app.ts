/** An app that has installed the package: its types hold in strict mode, with and without Node's resolution. */

import { createOnboarding, type FlowSession, memoryStorage, type Resolution, type Storage } from "doorstep";
import { fileStorage } from "doorstep/node";

const storage: Storage = fileStorage("/tmp/onboarding");
const onboarding = createOnboarding({
  baseUrl: "https://edge.example.com",
  projectId: "proj_1",
  secretKey: "key",
  storage: Math.random() < 0.5 ? storage : memoryStorage(),
  platform: () => "ios",
  attributes: { plan: "pro", seats: 3, trial: false },
});

export async function show(): Promise<string> {
  const resolution: Resolution = await onboarding.resolve();
  if (resolution.status === "none") {
    const flow: null = resolution.flow;
    return String(flow);
  }
  const session: FlowSession = onboarding.start(resolution, () => null);
  session.subscribe(({ screen, progress }) => `${screen?.type} ${progress}`);
  onboarding.track("opened", { from: "menu" });
  // @ts-expect-error A platform has two values.
  createOnboarding({ baseUrl: "", projectId: "", secretKey: "", platform: "windows" });
  const { outcome, answers } = await session.result;
  return `${resolution.flowId} ${outcome} ${Object.keys(answers).length}`;
}
