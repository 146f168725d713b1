/** The code of docs/sdk.md, line by line: `tests/docs` compares it, and the app that installs the package compiles it. */

import type { FlowSession, Screen } from "doorstep";
import { createOnboarding } from "doorstep";
import { fileStorage } from "doorstep/node";
import { createFakeOnboarding, createFlow, createScreen } from "doorstep/testing";
import { showOnboarding } from "doorstep/web";

declare const projectId: string;
declare const secretKey: string;
declare const bundled: unknown;
declare const baseUrl: string;
declare function draw(screen: Screen | null, session: FlowSession): void;
declare function askForPermission(permission: string): Promise<unknown>;

export async function show() {
  const onboarding = createOnboarding({ baseUrl: "https://edge.example.com", projectId, secretKey, appVersion: "2.1" });
  const resolution = await onboarding.resolve();
  if (resolution.status === "flow") {
    const session = onboarding.start(resolution);
    session.subscribe(({ screen }) => draw(screen, session));
    draw(session.state.screen, session);
    const { outcome, answers } = await session.result;
    return { outcome, answers };
  }
  return null;
}

export async function dialog() {
  const onboarding = createOnboarding({ baseUrl: "https://edge.example.com", projectId, secretKey, appVersion: "2.1" });
  const { outcome, answers } = await showOnboarding(onboarding, { once: true });
  return { outcome, answers };
}

export function server() {
  const storage = fileStorage("/var/lib/app/onboarding");
  const onboarding = createOnboarding({ baseUrl, projectId, secretKey, storage });
  return onboarding;
}

export async function hostedPage() {
  const onboarding = createOnboarding({ baseUrl, projectId, secretKey, bundled });
  const resolution = await onboarding.resolve();
  if (resolution.status === "none") {
    return null;
  }
  const page = await onboarding.page(resolution.flowId);
  const session = onboarding.start(resolution, (request) =>
    request.type === "permission" ? askForPermission(request.permission) : null,
  );
  return { page, session };
}

export function calls() {
  const { onboarding, events, setOnline } = createFakeOnboarding({ flow: createFlow([createScreen("welcome")]) });
  onboarding.track("purchase", { product_id: "year" });
  onboarding.setAttributes({ plan: "pro" });
  onboarding.identify("user-1");
  return { onboarding, events, setOnline };
}
