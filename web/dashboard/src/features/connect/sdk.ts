import type { Connection, Target } from "./requests";

const client = ({ edgeUrl, projectId, secretKey }: Connection) => `const onboarding = createOnboarding({
  baseUrl: "${edgeUrl}",
  projectId: "${projectId}",
  secretKey: "${secretKey}",
});`;

/** The lines of apps with an SDK. */
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
    id: "react-native",
    label: "React Native",
    lines: ({ edgeUrl, projectId, secretKey }) => `import AsyncStorage from "@react-native-async-storage/async-storage";
import { asyncStorage, createOnboarding } from "doorstep";
import { OnboardingProvider, useOnboarding } from "doorstep/react-native"; // needs react-native-webview
import { Button } from "react-native";

const onboarding = createOnboarding({
  baseUrl: "${edgeUrl}",
  projectId: "${projectId}",
  secretKey: "${secretKey}",
  platform: "ios",
  storage: asyncStorage(AsyncStorage),
});

function Start() {
  const { show, status } = useOnboarding();
  return <Button title="Start" disabled={status !== "ready"} onPress={() => show({ once: true })} />;
}

export const App = () => <OnboardingProvider client={onboarding}><Start /></OnboardingProvider>;`,
  },
  {
    id: "kotlin",
    label: "Kotlin",
    lines: ({ edgeUrl, projectId, secretKey }) => `val onboarding = Onboarding(
    Options(
        baseUrl = "${edgeUrl}",
        projectId = "${projectId}",
        secretKey = "${secretKey}",
        storage = fileStorage(folder), // on Android, a folder in context.filesDir
    ),
)
val resolution = onboarding.awaitResolve() // never fails, and takes at most two seconds
if (resolution.status == "flow") {
    val session = onboarding.start(resolution)
    session.subscribe { state -> draw(state, session) }
    draw(session.state, session)
    val (outcome, answers) = session.awaitResult()
}`,
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
