/**
 * A web view that is a frame. `frame.js` in the frame gives the page `ReactNativeWebView`, and calls its `onboardingHost`:
 * the policy of a page forbids to run a script, so the text in the call is taken out of it.
 */

import { Component } from "react";

export class WebView extends Component {
  componentDidMount() {
    this.listen = ({ data, source }) => {
      if (source === this.frame?.contentWindow) {
        this.props.onMessage({ nativeEvent: data });
      }
    };
    window.addEventListener("message", this.listen);
  }

  componentWillUnmount() {
    window.removeEventListener("message", this.listen);
  }

  injectJavaScript(script) {
    const [, text] = /^window\.onboardingHost\?\.\((.*)\);true$/.exec(script);
    this.frame.contentWindow.postMessage({ onboardingHost: JSON.parse(text) }, "*");
  }

  render() {
    const style = { border: 0, width: "100%", height: "100%" };
    const keep = (frame) => {
      this.frame = frame;
    };
    const { uri, html } = this.props.source;
    return <iframe title="flow" ref={keep} src={uri} srcDoc={html} style={style} />;
  }
}
