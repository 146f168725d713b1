/** A flow in a terminal, drawn by the app alone: node main.ts BASE_URL PROJECT_ID SECRET_KEY (Node 24 reads types). */

import { createInterface } from "node:readline/promises";
import { createOnboarding, type Screen } from "doorstep";
import { fileStorage } from "doorstep/node";

const [baseUrl = "", projectId = "", secretKey = ""] = process.argv.slice(2);
const storage = fileStorage(".onboarding");
const onboarding = createOnboarding({ baseUrl, projectId, secretKey, storage });
const terminal = createInterface({ input: process.stdin, output: process.stdout });

function choices(screen: Screen): string {
  const { options } = screen.content as { options?: ({ label?: string } | string)[] };
  return (options ?? []).map((option) => (typeof option === "string" ? option : (option.label ?? ""))).join(", ");
}

const resolution = await onboarding.resolve();
if (resolution.status === "none") {
  console.log("No flow for this device.");
} else {
  const session = onboarding.start(resolution);
  while (session.state.screen) {
    const { screen } = session.state;
    console.log(`\n${session.text("title")}\n${session.text("subtitle")}`);
    const given = await terminal.question(`${choices(screen)} (Enter goes on, < goes back) `);
    if (given === "<") {
      session.back();
      continue;
    }
    const problem = (given ? session.answer(given) : null) ?? session.forward();
    if (problem) {
      console.log(`Not possible: ${problem.code}`);
    }
    // Permissions, purchases and sign-ups are promises of the app.
    await new Promise((done) => setTimeout(done));
  }
  console.log(await session.result);
}
await onboarding.flush();
onboarding.close();
terminal.close();
