/** The code of docs/sdk.md for React Native, and the other properties; it is compiled with the types of React 18 and 19. */

import AsyncStorage from "@react-native-async-storage/async-storage";
import type { FlowSession } from "doorstep";
import { asyncStorage, createOnboarding } from "doorstep";
import { type NativeScreen, Onboarding, OnboardingProvider, useFlow, useOnboarding } from "doorstep/react-native";
import type { ReactElement } from "react";

declare const baseUrl: string;
declare const projectId: string;
declare const secretKey: string;
declare function askForPermission(permission: string): Promise<"granted" | "denied">;
declare function SignIn(screen: NativeScreen): ReactElement;

const storage = asyncStorage(AsyncStorage);
const onboarding = createOnboarding({ baseUrl, projectId, secretKey, platform: "ios", appVersion: "2.1", storage });

function Offline({ session }: { session: FlowSession }): ReactElement {
  return <>{useFlow(session).screenId}</>;
}

function Home(): ReactElement {
  // In a component below it. The status is "loading", "ready" or "none", and the app is rendered at once.
  const { show, status, isPresented } = useOnboarding();
  const start = async () => {
    const { outcome, answers } = await show({ once: true });
    console.log(outcome, answers, status, isPresented);
  };
  void start;
  return (
    <Onboarding
      offline={Offline}
      onEnd={({ outcome }) => console.log(outcome)}
      onStep={async ({ screen, answers, next }) => ({ go: next ?? "next", message: screen.id, set: answers })}
      onAction={async ({ name, data }) => ({ ok: name === "scan", set: data })}
      onPurchase={async ({ productId }) => (productId ? "purchased" : "failed")}
      onProducts={async (productIds) => productIds.map((productId) => ({ productId, price: "9 €" }))}
      onEvent={({ eventType, screenId }) => console.log(eventType, screenId)}
      onOpenUrl={(url) => console.log(url)}
    />
  );
}

export function App() {
  return (
    <OnboardingProvider client={onboarding} screens={{ sign_in: SignIn }} onPermission={askForPermission}>
      <Home />
    </OnboardingProvider>
  );
}
