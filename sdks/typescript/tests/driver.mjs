/** A device for the tests of whole stacks: a line of JSON in is a call of the built package, a line out its result. */

import { createInterface } from "node:readline";
import { createOnboarding } from "../dist/index.js";
import { fileStorage } from "../dist/node.js";

const { file, skewMs = 0, ...options } = JSON.parse(process.argv[2]);
const now = () => Date.now() + skewMs;
const onboarding = createOnboarding({ ...options, now, storage: fileStorage(file) });

const CALLS = {
  resolve: async (given) => {
    const { flow: _, ...resolution } = await onboarding.resolve(given);
    return { ...resolution, deviceId: onboarding.device().deviceId };
  },
  track: ([type, count]) => {
    for (let done = 0; done < count; done += 1) {
      onboarding.track(type);
    }
  },
  walk: async () => {
    const session = onboarding.start(await onboarding.resolve());
    while (!session.state.isOver) {
      session.press({ label: "", action: "next", url: "" });
    }
    return session.result;
  },
  configure: async () => {
    await onboarding.configure();
    return onboarding.config?.configVersion ?? null;
  },
  page: (flowId) => onboarding.page(flowId),
  flush: () => onboarding.flush(),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, given] = JSON.parse(line);
  const result = await CALLS[name](given);
  process.stdout.write(`${JSON.stringify(result ?? null)}\n`);
}
