import { type ComponentType, lazy, Suspense } from "react";

/** Return a dialog whose code, with the form in it, is fetched when it opens first. */
export function lazyDialog<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Dialog = lazy(async () => ({ default: await load() }));
  return (props: Props) => (
    <Suspense>
      <Dialog {...props} />
    </Suspense>
  );
}
