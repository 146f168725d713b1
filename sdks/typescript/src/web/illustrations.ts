/** The illustrations of the hosted pages by their names. A test compares them with the files. */

import celebrate from "@onboarding/illustrations/celebrate.svg?raw";
import chat from "@onboarding/illustrations/chat.svg?raw";
import delivery from "@onboarding/illustrations/delivery.svg?raw";
import finance from "@onboarding/illustrations/finance.svg?raw";
import fitness from "@onboarding/illustrations/fitness.svg?raw";
import food from "@onboarding/illustrations/food.svg?raw";
import friends from "@onboarding/illustrations/friends.svg?raw";
import goal from "@onboarding/illustrations/goal.svg?raw";
import language from "@onboarding/illustrations/language.svg?raw";
import learning from "@onboarding/illustrations/learning.svg?raw";
import location from "@onboarding/illustrations/location.svg?raw";
import mindful from "@onboarding/illustrations/mindful.svg?raw";
import news from "@onboarding/illustrations/news.svg?raw";
import notifications from "@onboarding/illustrations/notifications.svg?raw";
import overview from "@onboarding/illustrations/overview.svg?raw";
import photos from "@onboarding/illustrations/photos.svg?raw";
import plan from "@onboarding/illustrations/plan.svg?raw";
import savings from "@onboarding/illustrations/savings.svg?raw";
import security from "@onboarding/illustrations/security.svg?raw";
import share from "@onboarding/illustrations/share.svg?raw";
import shopping from "@onboarding/illustrations/shopping.svg?raw";
import sleep from "@onboarding/illustrations/sleep.svg?raw";
import travel from "@onboarding/illustrations/travel.svg?raw";
import welcome from "@onboarding/illustrations/welcome.svg?raw";

export const ILLUSTRATIONS: Record<string, string> = {
  celebrate,
  chat,
  delivery,
  finance,
  fitness,
  food,
  friends,
  goal,
  language,
  learning,
  location,
  mindful,
  news,
  notifications,
  overview,
  photos,
  plan,
  savings,
  security,
  share,
  shopping,
  sleep,
  travel,
  welcome,
};
