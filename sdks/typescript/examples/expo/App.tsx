/** An Expo app: a button shows the flow for this device over the app. Sign-in is a screen of the app inside of the flow. */

import AsyncStorage from "@react-native-async-storage/async-storage";
import { asyncStorage, createOnboarding } from "doorstep";
import { type NativeScreen, OnboardingProvider, useFlow, useOnboarding } from "doorstep/react-native";
import { type ComponentProps, useState } from "react";
import { Button, Platform, StyleSheet, Text, TextInput, View } from "react-native";

const onboarding = createOnboarding({
  baseUrl: process.env.EXPO_PUBLIC_EDGE_URL ?? "",
  projectId: process.env.EXPO_PUBLIC_PROJECT_ID ?? "",
  secretKey: process.env.EXPO_PUBLIC_SECRET_KEY ?? "",
  platform: Platform.OS === "android" ? "android" : "ios",
  storage: asyncStorage(AsyncStorage),
});

/** A screen of type `native` and of the name `sign_in`. */
function SignIn({ data, done, back, fail }: NativeScreen) {
  const [name, setName] = useState("");
  return (
    <View style={styles.screen}>
      <Text accessibilityRole="header">{String(data.title ?? "Sign in")}</Text>
      <TextInput accessibilityLabel="Name" style={styles.input} value={name} onChangeText={setName} />
      <Button title="Sign in" onPress={() => (name ? done({ user: name }) : fail("Enter your name."))} />
      <Button title="Back" onPress={back} />
    </View>
  );
}

type OfflineProps = ComponentProps<NonNullable<ComponentProps<typeof OnboardingProvider>["offline"]>>;

/** Without the service there is no page: the app draws titles, answers nothing, and goes on. */
function Offline({ session }: OfflineProps) {
  const { screenId } = useFlow(session);
  return (
    <View style={styles.screen} key={screenId}>
      <Text accessibilityRole="header">{session.text("title")}</Text>
      <Button title="Continue" onPress={() => session.forward()} />
      <Button title="Not now" onPress={() => session.end()} />
    </View>
  );
}

function Home() {
  const { show, status, isPresented } = useOnboarding();
  const [text, setText] = useState("");
  const start = async () => {
    const { outcome, answers } = await show({ once: true });
    setText(`${outcome} ${JSON.stringify(answers)}`);
  };
  return (
    <View style={styles.screen}>
      <Button title={`Start (${status})`} onPress={start} disabled={isPresented} />
      <Text testID="result">{text}</Text>
    </View>
  );
}

export default function App() {
  return (
    <OnboardingProvider
      client={onboarding}
      screens={{ sign_in: SignIn }}
      offline={Offline}
      // An app asks the system here, for example by expo-notifications.
      onPermission={async () => "granted"}
      onStep={({ answers }) => (answers.user === "Eve" ? { go: "stay", message: "Not you." } : { go: "next" })}
      onEvent={({ eventType, screenId }) => console.log(eventType, screenId)}
    >
      <Home />
    </OnboardingProvider>
  );
}

const styles = StyleSheet.create({
  screen: { flex: 1, justifyContent: "center", gap: 12, padding: 24, backgroundColor: "#ffffff" },
  input: { borderWidth: 1, borderColor: "#64748b", borderRadius: 8, padding: 12 },
});
