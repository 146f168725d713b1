/** An app with the SDK for React: a dialog by `show`, and a flow in its place, both in Strict Mode. */

import { createOnboarding } from "doorstep";
import { Onboarding, OnboardingProvider, useOnboarding } from "doorstep/react";
import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";

const client = createOnboarding({ baseUrl: "https://edge.example.com", projectId: "p", secretKey: "s", locale: "en" });

function SignIn({ data, done, fail }) {
  const [count, setCount] = useState(0);
  const press = () => (count === 0 ? (setCount(1), fail("Again")) : done());
  return (
    <button type="button" id="own" onClick={press}>
      {data.hint} {count}
    </button>
  );
}

const screens = { sign_in: SignIn };

function Home() {
  const { show, status, isPresented } = useOnboarding();
  const [texts, setTexts] = useState([]);
  const ended = ({ outcome }) => setTexts((before) => [...before, outcome]);
  const [isInline, setInline] = useState(false);
  return (
    <>
      <button type="button" id="show" onClick={() => show({ screens }).then(ended)}>
        {status} {String(isPresented)}
      </button>
      <button type="button" id="inline-button" onClick={() => setInline(!isInline)}>
        Inline
      </button>
      <p id="texts">{texts.join(" ")}</p>
      <div style={{ height: 640 }}>{isInline && <Onboarding screens={screens} onEnd={ended} />}</div>
    </>
  );
}

const app = (
  <StrictMode>
    <OnboardingProvider client={client}>
      <Home />
    </OnboardingProvider>
  </StrictMode>
);

window.rendered = renderToString(app);
createRoot(document.getElementById("inline")).render(app);
