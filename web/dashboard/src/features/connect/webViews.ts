import type { Connection, Target } from "./requests";

const configOf = ({ edgeUrl, projectId, secretKey }: Connection) =>
  `${edgeUrl}/api/global-config?apiKey=${secretKey}&projectId=${projectId}`;

/** The web views that show the page of a device: each asks for its address, for the flow, and opens the page. */
export const WEB_VIEWS: readonly Target[] = [
  {
    id: "ios",
    label: "iOS",
    lines: (connection) => `import UIKit
import WebKit

final class OnboardingViewController: UIViewController, WKScriptMessageHandler {
    let deviceId: String // a UUID that the app keeps
    private lazy var webView: WKWebView = {
        let configuration = WKWebViewConfiguration()
        configuration.userContentController.add(self, name: "flutter_bridge")
        return WKWebView(frame: view.bounds, configuration: configuration)
    }()

    init(deviceId: String) {
        self.deviceId = deviceId
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { fatalError("not used with storyboards") }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(webView)
        Task {
            // No onboarding for this device, or no connection: go on with the app.
            do { webView.load(URLRequest(url: try await page())) } catch { dismiss(animated: true) }
        }
    }

    private func page() async throws -> URL {
        let domain = try await read("backendDomain", "${configOf(connection)}")
        let device = "deviceId=\\(deviceId)&platform=ios"
        let resolve = "\\(domain)/api/onboarding/resolve?projectId=${connection.projectId}&\\(device)"
        return URL(string: "\\(domain)/onboarding/\\(try await read("flowId", resolve))/1?\\(device)")!
    }

    private func read(_ member: String, _ address: String) async throws -> String {
        let (body, _) = try await URLSession.shared.data(from: URL(string: address)!)
        let members = try JSONSerialization.jsonObject(with: body) as? [String: Any]
        guard let value = members?[member] as? String else { throw URLError(.resourceUnavailable) }
        return value
    }

    func userContentController(_ controller: WKUserContentController, didReceive message: WKScriptMessage) {
        guard message.body as? String == "close_pressed" else { return }
        controller.removeScriptMessageHandler(forName: "flutter_bridge")
        dismiss(animated: true)
    }
}`,
  },
  {
    id: "android",
    label: "Android",
    lines: (connection) => `@SuppressLint("SetJavaScriptEnabled", "ViewConstructor")
class OnboardingView(context: Context, deviceId: String, private val onClose: () -> Unit) : WebView(context) {
    init {
        settings.javaScriptEnabled = true
        settings.domStorageEnabled = true
        addJavascriptInterface(Bridge(), "flutter_bridge")
        thread {
            runCatching {
                val domain = read("backendDomain", "${configOf(connection)}")
                val device = "deviceId=$deviceId&platform=android"
                val flow = read("flowId", "$domain/api/onboarding/resolve?projectId=${connection.projectId}&$device")
                post { loadUrl("$domain/onboarding/$flow/1?$device") }
            }.onFailure { post { onClose() } } // no onboarding for this device, or no connection
        }
    }

    private fun read(member: String, address: String) = JSONObject(URL(address).readText()).getString(member)

    private inner class Bridge {
        @JavascriptInterface
        fun postMessage(text: String) {
            if (text == "close_pressed") post { onClose() }
        }
    }
}`,
  },
  {
    id: "react-native",
    label: "React Native",
    lines: (connection) => `import { useEffect, useState } from "react";
import { Platform } from "react-native";
import { WebView } from "react-native-webview";

async function pageOf(deviceId) {
  const read = async (address) => (await fetch(address)).json();
  const { backendDomain } = await read("${configOf(connection)}");
  const device = \`deviceId=\${deviceId}&platform=\${Platform.OS}\`;
  const { flowId } = await read(\`\${backendDomain}/api/onboarding/resolve?projectId=${connection.projectId}&\${device}\`);
  if (!flowId) throw new Error("no onboarding for this device");
  return \`\${backendDomain}/onboarding/\${flowId}/1?\${device}\`;
}

export function Onboarding({ deviceId, onClose }) {
  const [uri, setUri] = useState();
  useEffect(() => {
    pageOf(deviceId).then(setUri, onClose);
  }, [deviceId]);
  const onMessage = ({ nativeEvent }) => nativeEvent.data === "close_pressed" && onClose();
  return uri ? <WebView source={{ uri }} onMessage={onMessage} /> : null;
}`,
  },
  {
    id: "flutter",
    label: "Flutter",
    lines: (connection) => `Future<String> read(String member, String address) async =>
    jsonDecode((await http.get(Uri.parse(address))).body)[member] as String;

Future<WebViewController> onboarding(String deviceId, String platform, void Function() onClose) async {
  final domain = await read('backendDomain', '${configOf(connection)}');
  final device = 'deviceId=$deviceId&platform=$platform';
  final flow = await read('flowId', '$domain/api/onboarding/resolve?projectId=${connection.projectId}&$device');
  return WebViewController()
    ..setJavaScriptMode(JavaScriptMode.unrestricted)
    ..addJavaScriptChannel('flutter_bridge', onMessageReceived: (message) {
      if (message.message == 'close_pressed') onClose();
    })
    ..loadRequest(Uri.parse('$domain/onboarding/$flow/1?$device'));
}`,
  },
];
