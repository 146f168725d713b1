/**
 * What the SDK and its example use of React Native and of packages for it. Their packages are not installed here, because they weigh 170 MB;
 * the sources were compiled with the types of react-native 0.87 and react-native-webview 16.
 */

declare module "react-native" {
  import type { ComponentType, ReactNode } from "react";

  interface Subscription {
    remove(): void;
  }
  type Style = Record<string, string | number>;
  interface ViewProps {
    style?: Style;
    pointerEvents?: "auto" | "none";
    accessibilityViewIsModal?: boolean;
    children?: ReactNode;
  }
  export const View: ComponentType<ViewProps>;
  export const KeyboardAvoidingView: ComponentType<ViewProps & { enabled?: boolean; behavior?: "padding" }>;
  export const Text: ComponentType<{
    style?: Style;
    accessibilityRole?: "alert" | "header";
    accessibilityLiveRegion?: "assertive";
    testID?: string;
    children?: ReactNode;
  }>;
  export const TextInput: ComponentType<{
    style?: Style;
    accessibilityLabel?: string;
    value?: string;
    onChangeText?(text: string): void;
  }>;
  export const Button: ComponentType<{ title: string; onPress(): unknown; disabled?: boolean }>;
  export const StyleSheet: { create<Styles extends Record<string, Style>>(styles: Styles): Styles };
  export const StatusBar: ComponentType<{ barStyle: "light-content" | "dark-content" }>;
  export const Platform: { OS: string };
  export const AppState: { addEventListener(type: "change", listener: (state: string) => void): Subscription };
  export const BackHandler: {
    addEventListener(type: "hardwareBackPress", listener: () => boolean): Subscription;
    exitApp(): void;
  };
  export const Linking: {
    getInitialURL(): Promise<string | null>;
    addEventListener(type: "url", listener: (event: { url: string }) => void): Subscription;
    openURL(url: string): Promise<unknown>;
  };
}

declare module "react-native-webview" {
  import { Component } from "react";

  interface Event<Members> {
    nativeEvent: Members;
  }
  export interface WebViewProps {
    source: { uri: string } | { html: string; baseUrl: string };
    originWhitelist?: string[];
    onMessage?(event: Event<{ data: string; url: string }>): void;
    onError?(): void;
    onHttpError?(event: Event<{ statusCode: number }>): void;
    onShouldStartLoadWithRequest?(request: { url: string }): boolean;
    onContentProcessDidTerminate?(): void;
    onRenderProcessGone?(): void;
    domStorageEnabled?: boolean;
    setSupportMultipleWindows?: boolean;
    allowsInlineMediaPlayback?: boolean;
    mediaPlaybackRequiresUserAction?: boolean;
    automaticallyAdjustContentInsets?: boolean;
    contentInsetAdjustmentBehavior?: "never";
    style?: Record<string, string | number>;
  }
  export class WebView extends Component<WebViewProps> {
    injectJavaScript(script: string): void;
    reload(): void;
  }
}

declare module "@react-native-async-storage/async-storage" {
  const storage: {
    getItem(key: string): Promise<string | null>;
    setItem(key: string, value: string): Promise<void>;
    removeItem(key: string): Promise<void>;
  };
  export default storage;
}
