import { cleanup, configure } from "@testing-library/react";
import { afterEach, vi } from "vitest";

// A loaded machine renders late.
configure({ asyncUtilTimeout: 5_000 });

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

// Mantine asks for these; jsdom has none of them.
window.matchMedia = (query) =>
  ({
    matches: false,
    media: query,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
    addListener: vi.fn(),
    removeListener: vi.fn(),
  }) as unknown as MediaQueryList;
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
Object.defineProperty(document, "fonts", { value: new EventTarget(), configurable: true });
