/** The core of the SDK, for browsers, Node and React Native. An import does nothing; `createOnboarding` begins. */

export { type Change, createOnboarding, Onboarding, type ResolveOptions } from "./onboarding";
export {
  type Button,
  type FlowResult,
  FlowSession,
  type FlowState,
  type Handler,
  type Problem,
  type Request,
} from "./session";
export { asyncStorage, localStorageAdapter, memoryStorage, mmkv } from "./storage";
export type { Outcome } from "./store";
export type * from "./types";
