/** Functions of the app that are called back. One that fails is not in the way of the others, nor of the SDK. */
export class Listeners<Value> {
  private readonly all = new Set<(value: Value) => void>();

  constructor(private readonly warn: (message: string, detail?: unknown) => void) {}

  /** Add a listener. Return a function that takes it out. */
  add(listener: (value: Value) => void): () => void {
    this.all.add(listener);
    return () => void this.all.delete(listener);
  }

  notify(value: Value): void {
    for (const listener of this.all) {
      try {
        listener(value);
      } catch (error) {
        this.warn("A function of the app has failed.", error);
      }
    }
  }
}
