import type { ExperimentView, FunnelScreenView, FunnelView } from "@/api/schema";
import { flowTexts } from "@/features/flows/texts";

/** With fewer users than this a share says little, and no picture is drawn. */
export const ENOUGH_USERS = 10;

/** The users of a flow, or of one variant. */
interface Starts {
  started: number;
}

/** Return the fewest users of a flow or of its variants, if they are too few for a picture. */
export function tooFewUsers(funnels: readonly Starts[]): number | null {
  const fewest = Math.min(...funnels.map(({ started }) => started));
  return fewest < ENOUGH_USERS ? fewest : null;
}

/** Return the name of a screen with its place in the flow. */
export function screenName({ order, name, type }: FunnelScreenView): string {
  return `${order + 1}. ${name ?? flowTexts.types[type] ?? type}`;
}

/** The bar of a screen: the users who completed it, and those who left there. */
export function screenBars({ screens }: Pick<FunnelView, "screens">) {
  return screens.map((screen) => ({
    name: screenName(screen),
    completed: screen.completed,
    lost: screen.drop_off,
  }));
}

/** The bars of a screen, one for each variant: its users who completed the screen, per user who started the flow. */
export function variantBars({ screens, variants }: FunnelView): Record<string, string | number>[] {
  return screens.map((screen, place) => ({
    name: screenName(screen),
    ...Object.fromEntries(
      (variants ?? []).map(({ variant, started, screens: ofVariant }) => [
        variant ?? "",
        started === 0 ? 0 : (ofVariant[place]?.completed ?? 0) / started,
      ]),
    ),
  }));
}

/** Return the experiments that a flow is part of. */
export function experimentsWith<Experiment extends Pick<ExperimentView, "variants">>(
  flowId: string,
  experiments: readonly Experiment[],
): Experiment[] {
  return experiments.filter(({ variants }) => variants.some((variant) => variant.flow_id === flowId));
}

/** Return the flow that most users have started, the first of those that are alike. */
export function busiestFlow<Flow extends { starts: number }>(flows: readonly Flow[]): Flow | undefined {
  return flows.reduce<Flow | undefined>((best, flow) => (best && best.starts >= flow.starts ? best : flow), undefined);
}
