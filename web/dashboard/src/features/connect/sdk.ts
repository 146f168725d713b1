import type { Connection, Target } from "./requests";

const client = ({ edgeUrl, projectId, secretKey }: Connection) => `const onboarding = createOnboarding({
  baseUrl: "${edgeUrl}",
  projectId: "${projectId}",
  secretKey: "${secretKey}",
});`;

/** The lines of apps with the TypeScript SDK. */
export const SDK: readonly Target[] = [
  {
    id: "web",
    label: "Web",
    lines: (connection) => `import { createOnboarding } from "doorstep";
import { showOnboarding } from "doorstep/web";

// The edge allows the origin of the page: ONBOARDING_EDGE_CORS_ORIGINS=https://app.example.com
${client(connection)}
const { outcome, answers } = await showOnboarding(onboarding, { once: true });`,
  },
  {
    id: "react",
    label: "React",
    lines: (connection) => `import { createOnboarding } from "doorstep";
import { OnboardingProvider, useOnboarding } from "doorstep/react";

// The edge allows the origin of the page: ONBOARDING_EDGE_CORS_ORIGINS=https://app.example.com
${client(connection)}

function Start() {
  const { show, status } = useOnboarding();
  return <button disabled={status !== "ready"} onClick={() => show({ once: true })}>Start</button>;
}

export const App = () => <OnboardingProvider client={onboarding}><Start /></OnboardingProvider>;`,
  },
  {
    id: "headless",
    label: "Own screens",
    lines: (connection) => `import { createOnboarding } from "doorstep";

${client(connection)}
const resolution = await onboarding.resolve(); // never rejects, and takes at most two seconds
if (resolution.status === "flow") {
  const session = onboarding.start(resolution);
  session.subscribe(({ screen }) => draw(screen));
  const { outcome, answers } = await session.result;
}`,
  },
];
