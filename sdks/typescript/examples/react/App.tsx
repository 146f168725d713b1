/** A React app: a button shows the flow for this device, and one screen of the flow is a component of the app. */

import { createOnboarding } from "doorstep";
import { type NativeScreen, OnboardingProvider, useOnboarding } from "doorstep/react";
import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";

const [baseUrl = "", projectId = "", secretKey = ""] = location.hash.slice(1).split(",");
const onboarding = createOnboarding({ baseUrl, projectId, secretKey });

function SignIn({ done, back, fail }: NativeScreen) {
  const [name, setName] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        name ? done() : fail("Enter your name.");
      }}
    >
      <label>
        Name <input value={name} onChange={(event) => setName(event.target.value)} />
      </label>
      <button type="submit">Sign in</button>
      <button type="button" onClick={back}>
        Back
      </button>
    </form>
  );
}

function Home() {
  const { show, status, isPresented } = useOnboarding();
  const [text, setText] = useState("");
  const start = async () => {
    const { outcome, answers } = await show({ screens: { sign_in: SignIn }, onPermission: async () => "granted" });
    setText(`${outcome} ${JSON.stringify(answers)}`);
  };
  return (
    <main>
      <button type="button" onClick={start} disabled={isPresented}>
        Start ({status})
      </button>
      <p>{text}</p>
    </main>
  );
}

createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <OnboardingProvider client={onboarding}>
      <Home />
    </OnboardingProvider>
  </StrictMode>,
);
