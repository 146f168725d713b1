/** An app that has installed the package: its types hold in strict mode, with and without Node's resolution. */

import {
  createOnboarding,
  type FlowSession,
  memoryStorage,
  type Resolution,
  type Screen,
  type Storage,
} from "doorstep";
import { fileStorage } from "doorstep/node";
import { mountOnboarding, type OnboardingResult, showOnboarding } from "doorstep/web";

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

export async function showInPage(element: HTMLElement): Promise<OnboardingResult["outcome"]> {
  const { close, result } = mountOnboarding(onboarding, element, { screens: { own: (_, { done }) => done() } });
  close();
  await showOnboarding(onboarding, { once: true, onPurchase: async ({ productId }) => productId });
  return (await result).outcome;
}

/** The contents of screens are those of their types. A newer service may send types that are not here. */
export function draw(screen: Screen): string {
  switch (screen.type) {
    case "question_picker":
      // @ts-expect-error The contents of a picker have no products.
      return String(screen.content.picker ?? screen.content.products);
    case "paywall":
      return String(screen.content.products?.length);
    default:
      return screen.type.length > 0 && "title" in screen.content ? String(screen.content.title) : screen.id;
  }
}
