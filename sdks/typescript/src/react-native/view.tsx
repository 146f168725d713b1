/** The web view of a page, with screens of the app over it. All decisions are the host's. */

import { memberOf, object, text } from "@onboarding/flow/json";
import { Component, type ReactNode, useCallback, useEffect, useRef, useSyncExternalStore } from "react";
import { AppState, BackHandler, KeyboardAvoidingView, Platform, StatusBar, Text, View } from "react-native";
import { WebView } from "react-native-webview";
import { useFlow } from "../react/hooks";
import type { FlowSession } from "../session";
import type { NativeScreen } from "../web/options";
import { type PageHost, plain } from "./host";
import type { Drawn, NativeOptions, Screens } from "./visit";

const FILL = { position: "absolute", top: 0, right: 0, bottom: 0, left: 0 } as const;
const HIDDEN = { ...FILL, opacity: 0 };
const OVER = { ...FILL, zIndex: 1000, elevation: 1000 };
const TRANSPARENT = { flex: 1, backgroundColor: "transparent" };
const NOTICE = { padding: 24, textAlign: "center", color: "#fff", backgroundColor: "#b91c1c" } as const;
const isAlwaysShown = () => true;

interface Props {
  drawn: Drawn;
  options: NativeOptions;
  /** Whether the flow lies over the app, whose own way back is not meant then. */
  isOver: boolean;
}

/** Draw a flow. It is hidden, and takes no touches, until its page has painted. */
export function Shown({ drawn, options, isOver }: Props) {
  const { screens = {}, offline } = options;
  return "host" in drawn ? (
    <Page {...drawn} screens={screens} isOver={isOver} />
  ) : (
    <View style={isOver ? OVER : FILL}>
      {offline && <Session session={drawn.session} screens={screens} offline={offline} isOver={isOver} />}
    </View>
  );
}

/** Draw the present screen of a session: a native one by its component, others by the component for flows without a page. */
function Session({
  session,
  screens,
  offline: Offline,
  isOver,
}: {
  session: FlowSession;
  screens: Screens;
  offline: NonNullable<NativeOptions["offline"]>;
  isOver: boolean;
}) {
  const { screen, answers, notice } = useFlow(session);
  const goBack = useCallback(() => {
    const { canGoBack } = session.state;
    session.back();
    return canGoBack;
  }, [session]);
  useBack(goBack, isAlwaysShown, isOver);
  const { name, data } = object(screen?.content);
  if (screen?.type !== ("native" as string) || !memberOf(screens, text(name))) {
    return <Offline session={session} />;
  }
  const native: NativeScreen = {
    ...{ screenId: screen?.id ?? "", name: text(name), data: object(data), answers },
    done: (values) => session.done(plain(values)),
    back: () => session.back(),
    fail: (message) => session.fail(String(message)),
  };
  const failed = () => session.fail("");
  return <Native native={native} screens={screens} notice={notice ?? ""} failed={failed} />;
}

function Page({ host, screens, isOver }: { host: PageHost; screens: Screens; isOver: boolean }) {
  const { url, html } = host.around.page;
  const view = useRef<WebView>(null);
  const subscribe = useCallback((listener: () => void) => host.subscribe(listener), [host]);
  const read = () => host.state;
  const { isPainted, isDark, native, notice } = useSyncExternalStore(subscribe, read, read);
  useEffect(() => {
    host.connect((sent) => view.current?.injectJavaScript(`window.onboardingHost?.(${JSON.stringify(sent)});true`));
    const state = AppState.addEventListener("change", (name) => host.pause(name !== "active"));
    return () => {
      host.connect(null);
      state.remove();
    };
  }, [host]);
  const goBack = useCallback(() => host.back(), [host]);
  const isShown = useCallback(() => host.state.isPainted, [host]);
  useBack(goBack, isShown, isOver);
  const crashed = () => host.crashed() && view.current?.reload();
  return (
    <View
      style={isPainted ? (isOver ? OVER : FILL) : HIDDEN}
      pointerEvents={isPainted ? "auto" : "none"}
      accessibilityViewIsModal={isOver && isPainted}
    >
      {isPainted && <StatusBar barStyle={isDark ? "light-content" : "dark-content"} />}
      <KeyboardAvoidingView style={FILL} behavior="padding" enabled={Platform.OS === "android" && !native}>
        <WebView
          ref={view}
          source={html ? { html, baseUrl: url } : { uri: url }}
          originWhitelist={["*"]}
          onMessage={({ nativeEvent }) => host.receive(nativeEvent.data, nativeEvent.url)}
          onError={() => host.unreachable()}
          onHttpError={({ nativeEvent }) => host.unreachable(nativeEvent.statusCode)}
          onShouldStartLoadWithRequest={(request) => host.allows(request.url)}
          onContentProcessDidTerminate={crashed}
          onRenderProcessGone={crashed}
          domStorageEnabled
          setSupportMultipleWindows={false}
          allowsInlineMediaPlayback
          mediaPlaybackRequiresUserAction={false}
          automaticallyAdjustContentInsets={false}
          contentInsetAdjustmentBehavior="never"
          style={TRANSPARENT}
        />
      </KeyboardAvoidingView>
      {native && <Native native={native} screens={screens} notice={notice} failed={(error) => host.undraw(error)} />}
    </View>
  );
}

interface NativeProps {
  native: NativeScreen;
  screens: Screens;
  notice: string;
  failed(error: unknown): void;
}

/** Draw a screen of the app, and why the flow stays on it. */
function Native({ native, screens, notice, failed }: NativeProps) {
  const Drawn = memberOf(screens, native.name);
  return (
    <View style={FILL}>
      <Guard key={native.screenId} failed={failed}>
        {Drawn && <Drawn {...native} />}
      </Guard>
      {notice !== "" && (
        <Text style={NOTICE} accessibilityRole="alert" accessibilityLiveRegion="assertive">
          {notice}
        </Text>
      )}
    </View>
  );
}

/** Take the button for Back of a phone. On the first screen of a flow over the app, the app goes to the background. */
function useBack(goBack: () => boolean, isShown: () => boolean, isOver: boolean): void {
  useEffect(() => {
    const back = BackHandler.addEventListener("hardwareBackPress", () => {
      const isTaken = isShown() && goBack();
      if (!isTaken && isShown() && isOver) {
        // The navigation of the app lies below the flow, so it is not meant.
        BackHandler.exitApp();
        return true;
      }
      return isTaken;
    });
    return () => back.remove();
  }, [goBack, isShown, isOver]);
}

/** Keeps an error of a component of the app away from the rest of the app. */
class Guard extends Component<{ failed(error: unknown): void; children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown) {
    this.props.failed(error);
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children;
  }
}
