import { Button } from "@mantine/core";
import { onlineManager } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { texts } from "@/texts";
import { useNewRelease } from "../newRelease";
import classes from "./Frame.module.css";

const subscribe = (onChange: () => void) => onlineManager.subscribe(onChange);

/** The banners above every view: no connection, a new release of the dashboard. */
export function Banners() {
  const online = useSyncExternalStore(subscribe, () => onlineManager.isOnline());
  const newRelease = useNewRelease();
  return (
    <>
      {!online && (
        <div className={classes.banner} role="status">
          {texts.app.offline}
        </div>
      )}
      {newRelease && (
        <div className={classes.banner} role="status">
          {texts.app.newRelease}
          <Button size="compact-sm" variant="default" onClick={() => window.location.reload()}>
            {texts.app.reload}
          </Button>
        </div>
      )}
    </>
  );
}
