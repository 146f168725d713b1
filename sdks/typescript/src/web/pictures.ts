/** The pictures of the hosted pages by their names, each in a part of its own. A test compares them with the files. */

type Picture = () => Promise<{ default: string }>;

export const PICTURES: Record<string, Picture> = {
  city: () => import("@onboarding/illustrations/city.svg?raw"),
  harvest: () => import("@onboarding/illustrations/harvest.svg?raw"),
  night: () => import("@onboarding/illustrations/night.svg?raw"),
  podium: () => import("@onboarding/illustrations/podium.svg?raw"),
  silk: () => import("@onboarding/illustrations/silk.svg?raw"),
  stairs: () => import("@onboarding/illustrations/stairs.svg?raw"),
  sunrise: () => import("@onboarding/illustrations/sunrise.svg?raw"),
  track: () => import("@onboarding/illustrations/track.svg?raw"),
};

/** Return the pictures that a text names in quotes. */
export async function picturesIn(text: string): Promise<Record<string, string>> {
  const named = Object.entries(PICTURES).filter(([name]) => text.includes(`"${name}"`));
  return Object.fromEntries(await Promise.all(named.map(async ([name, load]) => [name, (await load()).default])));
}
