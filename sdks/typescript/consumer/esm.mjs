/** An app of ES modules. */

import { createServer } from "node:http";
import { createOnboarding } from "doorstep";
import { fileStorage } from "doorstep/node";
import { run } from "./run.mjs";

await run(createServer, createOnboarding, fileStorage("./esm"));
