/** An app of CommonJS. */

const { createServer } = require("node:http");
const { createOnboarding } = require("doorstep");
const { fileStorage } = require("doorstep/node");

import("./run.mjs").then(({ run }) => run(createServer, createOnboarding, fileStorage("./commonjs")));
