/** What the SDK knows of the device, by the options of the app and by the runtime. Values that a resolve refuses are left out. */

import type { Attributes, Device, Options, Platform, Scalar } from "./types";

/** The shape of a language tag (RFC 5646), as the service checks it. */
const LOCALE = /^(?:[A-Za-z]{2,8}|[xXiI](?=-))(?:-[A-Za-z0-9]{1,8})*$/;
const COUNTRY = /^[A-Za-z]{2}$/;
const MAX_ATTRIBUTES = 50;
const MAX_NAME = 128;
const MAX_TEXT = 1_024;
const MAX_FIELD = 128;
const MAX_LOCALE = 64;

type Given = Pick<Options, "platform" | "appVersion" | "osVersion" | "locale" | "country" | "attributes">;

interface Browser {
  userAgent?: string;
  maxTouchPoints?: number;
  language?: string;
}

/** Return the device. `attributes` are those of `setAttributes`, which come before those of the options. */
export function deviceOf(options: Given, deviceId: string, attributes: Attributes, locale?: string): Device {
  const browser = (globalThis as { navigator?: Browser }).navigator;
  const platform = read(options.platform) ?? platformOf(browser);
  const tag = (locale ?? read(options.locale) ?? localeOf(browser) ?? "").trim().replace(/_/g, "-");
  const country = (read(options.country) ?? "").trim();
  const [appVersion, osVersion] = [shortOf(read(options.appVersion)), shortOf(read(options.osVersion))];
  const known = checked({ ...read(options.attributes), ...attributes });
  return {
    deviceId,
    ...(platform === "ios" || platform === "android" ? { platform } : {}),
    ...(appVersion ? { appVersion } : {}),
    ...(osVersion ? { osVersion } : {}),
    ...(LOCALE.test(tag) && tag.length <= MAX_LOCALE ? { locale: tag } : {}),
    ...(COUNTRY.test(country) ? { country } : {}),
    ...(Object.keys(known).length > 0 ? { attributes: known } : {}),
  };
}

function read<Type>(given: Type | (() => Type | undefined) | undefined): Type | undefined {
  try {
    return (typeof given === "function" ? (given as () => Type | undefined)() : given) ?? undefined;
  } catch {
    return undefined;
  }
}

function shortOf(value: string | undefined): string {
  const given = typeof value === "string" ? value.trim() : "";
  return given.length <= MAX_FIELD ? given : "";
}

/** Return ios or android for a browser that cannot be another one. An iPad claims to be a Mac, which has no touch screen. */
function platformOf({ userAgent = "", maxTouchPoints = 0 }: Browser = {}): Platform | undefined {
  if (/android/i.test(userAgent)) {
    return "android";
  }
  const isApple = /iphone|ipad|ipod/i.test(userAgent) || (/macintosh/i.test(userAgent) && maxTouchPoints > 1);
  return isApple ? "ios" : undefined;
}

function localeOf(browser: Browser | undefined): string | undefined {
  try {
    return browser?.language ?? Intl.DateTimeFormat().resolvedOptions().locale;
  } catch {
    return undefined;
  }
}

/** Return the attributes that the service takes: flat, few and short. */
function checked(attributes: Attributes): Attributes {
  const isTaken = ([name, value]: [string, Scalar]) =>
    name.length > 0 &&
    name.length <= MAX_NAME &&
    (typeof value === "boolean" ||
      (typeof value === "number" && Number.isFinite(value)) ||
      (typeof value === "string" && value.length <= MAX_TEXT));
  return Object.fromEntries(Object.entries(attributes).filter(isTaken).slice(0, MAX_ATTRIBUTES));
}
