import { MantineProvider } from "@mantine/core";
import { act, fireEvent, render, screen, within } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import type { PathsView } from "@/api/schema";
import type { FlowDocument } from "../document";
import { Player } from "./Player";
import { type Play, usePlay } from "./usePlay";

const when = (attribute: string, value: string) => [{ attribute, operator: "eq", value }];
const DOCUMENT = {
  name: "Plan",
  variables: [{ name: "greeting", formula: 'concat("For ", answers.goal)' }],
  screens: [
    {
      id: "goal",
      type: "question_single_choice",
      name: "Goal",
      content: { answer_key: "goal", options: ["lose", "gain"] },
      next: [{ id: "r", when: when("answers.goal", "gain"), go_to: "result" }],
    },
    { id: "food", type: "welcome", name: "Food", content: {}, show_if: when("platform", "ios") },
    { id: "result", type: "welcome", name: "Result", content: { title: "{{variables.greeting}}" } },
  ].map((one) => ({ settings: {}, ...one })),
} as unknown as FlowDocument;
const PREVIEWED = { projectId: "p", projectName: "Sample", flowId: "f", theme: null };
const PATHS = {
  started: 10,
  links: [
    { from_screen_id: null, to_screen_id: "goal", rule: null, users: 10, completed: 4 },
    { from_screen_id: "goal", to_screen_id: "result", rule: "r", users: 4, completed: 4 },
    { from_screen_id: "goal", to_screen_id: "left", rule: null, users: 6, completed: 0 },
    { from_screen_id: "result", to_screen_id: "end", rule: null, users: 4, completed: 4 },
  ],
} as unknown as PathsView;

/** Show the player beside a phone that the test plays. */
function show(document = DOCUMENT): () => Play {
  let play: Play | undefined;
  function Editor() {
    const [screenId, setScreenId] = useState(document.screens[0]?.id ?? "");
    play = usePlay({ ...PREVIEWED, document }, screenId, setScreenId);
    return <Player document={document} play={play} users={{ paths: PATHS, choice: null }} />;
  }
  render(
    <MantineProvider env="test">
      <Editor />
    </MantineProvider>,
  );
  return () => play as Play;
}

const path = () =>
  within(screen.getByRole("list", { name: "Path" }))
    .getAllByRole("listitem")
    .map((step) => step.querySelector("p")?.textContent);
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const choose = async (field: string, option: string) => {
  fireEvent.click(screen.getByRole("combobox", { name: field }));
  fireEvent.click(await screen.findByRole("option", { name: option }));
};

test("answers lead along a path with its variables, texts and progress to the end", async () => {
  show();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Next" }).disabled).toBe(true);
  await choose("Answer on Goal", "gain");
  press("Next");
  expect(path()).toEqual(["1. Goal", "2. Result"]);
  expect(screen.getAllByText("For gain")).toHaveLength(2);
  expect(screen.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("100");
  press("Next");
  expect(screen.getByText("The flow is completed.")).toBeTruthy();
  press("Back");
  expect(path()).toEqual(["1. Goal"]);
});

test("each ticked box of a consent decides the path", async () => {
  const items = ["news", "ads"].map((name) => ({ name, label: name }));
  const shown = [{ attribute: "answers.news", operator: "eq", value: true }];
  const screens = [
    { id: "terms", type: "consent", name: "Terms", content: { items }, settings: {} },
    { id: "news", type: "welcome", name: "News", content: {}, settings: {}, show_if: shown },
    { id: "last", type: "welcome", name: "Last", content: {}, settings: {} },
  ];
  const play = show({ name: "Consent", variables: [], screens } as unknown as FlowDocument);
  await choose("Answer on Terms", "news");
  press("Next");
  expect(path()).toEqual(["1. Terms", "2. News"]);
  expect(play().values).toMatchObject({ "answers.news": true, "answers.ads": false });
});

test("the page tells its path and answers, and one of an older release is named", () => {
  const play = show();
  const answers = [{ screenId: "goal", answerKey: "goal", questionType: "", questionText: "", answer: "gain" }];
  act(() => {
    play().take({ path: ["goal", "result"], answers, screenId: "result" });
    play().go({ path: ["goal", "result"], answers, screenId: "result" });
  });
  expect(path()).toEqual(["1. Goal", "2. Result"]);
  expect(screen.getAllByText("For gain")).toHaveLength(2);
  act(() => play().take(null));
  expect(screen.getByText(/older release/)).toBeTruthy();
});

test("the device of Show me as decides the path and the paths that there are", async () => {
  const play = show();
  press("Find all paths");
  const all = await screen.findByRole("list", { name: "All paths" });
  const listed = () => [...all.querySelectorAll("button")].map(({ textContent }) => textContent);
  expect(listed()).toEqual(["Goal → Result → Endabout 40% of users"]);
  press("Show me as");
  act(() => play().setDevice({ platform: "ios" }));
  expect(await screen.findByText(/Goal → Food → Result → End/)).toBeTruthy();
  expect(listed()).toHaveLength(2);
  fireEvent.click(screen.getByRole("button", { name: /Goal → Food → Result/ }));
  expect(path()).toEqual(["1. Goal", "2. Food", "3. Result"]);
  expect(play().values["answers.goal"]).toBe("lose");
});
