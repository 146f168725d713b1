import type { FlowDocument, FlowScreen } from "@/features/editor/document";
import { themeTexts } from "./texts";

const words = themeTexts.sample;
const next = { label: words.button, action: "next" };

function screen(id: string, type: FlowScreen["type"], content: FlowScreen["content"]): FlowScreen {
  return { id, type, name: null, content: { ...content, primary_button: next }, settings: {} };
}

/** The flow of a theme's preview: its screens show all that a theme changes. */
export const SAMPLE_FLOW: FlowDocument = {
  name: themeTexts.preview,
  description: null,
  theme_id: null,
  targeting: { percentage: 100, conditions: [] },
  screens: [
    screen("choice", "question_single_choice", {
      question: words.question,
      hint: words.hint,
      options: words.options.map((label) => ({ label, value: label })),
    }),
    screen("text", "question_text", { question: words.name, placeholder: words.placeholder }),
    screen("welcome", "welcome", { title: words.title, subtitle: words.text, image_url: "welcome" }),
  ],
};
