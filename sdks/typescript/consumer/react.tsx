/** A React app that has installed the package; its types hold with the types of React 18 and 19. */

import { createOnboarding } from "doorstep";
import { Onboarding, OnboardingProvider, useOnboarding } from "doorstep/react";
import type { ReactElement } from "react";

const client = createOnboarding({ baseUrl: "https://edge.example.com", projectId: "proj_1", secretKey: "key" });

function Start(): ReactElement {
  const { show, status, isPresented } = useOnboarding();
  const start = async () => {
    const { outcome, answers, error } = await show({ once: true, attributes: { plan: "pro" }, locale: "de" });
    console.log(outcome === "already_completed", answers, error);
  };
  return (
    <button type="button" disabled={status !== "ready" || isPresented} onClick={start}>
      Start
    </button>
  );
}

export function App(): ReactElement {
  return (
    <OnboardingProvider client={client} onPermission={async (permission) => `${permission} granted`}>
      <Start />
      <Onboarding
        screens={{
          sign_in: ({ answers, done, back, fail }) => (
            <button type="button" onClick={done} onBlur={back} onFocus={() => fail("No")}>
              {String(answers.name)}
            </button>
          ),
        }}
        onPurchase={async ({ productId }) => (productId ? "purchased" : "failed")}
        onEvent={({ eventType }) => console.log(eventType)}
        onEnd={({ outcome }) => console.log(outcome)}
      />
    </OnboardingProvider>
  );
}
