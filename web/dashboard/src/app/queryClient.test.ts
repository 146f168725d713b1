import { MutationObserver, onlineManager } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { newQueryClient } from "./queryClient";

afterEach(() => onlineManager.setOnline(true));

test("change without a connection fails at once, and does not run after its view has closed", async () => {
  const client = newQueryClient();
  client.mount();
  onlineManager.setOnline(false);
  const send = vi.fn().mockRejectedValue(new TypeError("Failed to fetch"));
  const observer = new MutationObserver(client, { mutationFn: send });
  const close = observer.subscribe(() => undefined);
  await expect(observer.mutate(undefined)).rejects.toThrow("Failed to fetch");
  close();
  onlineManager.setOnline(true);
  await new Promise((resolve) => setTimeout(resolve));
  expect(send).toHaveBeenCalledOnce();
  client.unmount();
});
