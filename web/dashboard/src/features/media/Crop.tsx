import { Button, Group, SegmentedControl, Slider, Stack, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { texts } from "@/texts";
import { toastError } from "@/ui/feedback/feedback";
import classes from "./Media.module.css";
import { mediaTexts as words } from "./texts";

const SHAPES = { none: null, "4:3": 4 / 3, "9:16": 9 / 16, "1:1": 1 } as const;
type Shape = keyof typeof SHAPES;
const QUALITY = 0.95;

/** Return whether a file is a still picture that the browser can cut without losing more than it must. */
export function canCrop({ type }: File): boolean {
  return type === "image/jpeg" || type === "image/png";
}

interface CropProps {
  file: File;
  onCancel: () => void;
  /** Called with the file itself where nothing is cut. */
  onDone: (file: Blob) => void;
}

/** Cut a picture to a shape before it is uploaded. */
export function Crop({ file, onCancel, onDone }: CropProps) {
  const [shape, setShape] = useState<Shape>("none");
  const [across, setAcross] = useState(50);
  const [down, setDown] = useState(50);
  const [picture, setPicture] = useState<ImageBitmap | null>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    createImageBitmap(file).then(setPicture, () => onDone(file));
  }, [file, onDone]);
  const cut = picture && cutOf(picture, SHAPES[shape], across / 100, down / 100);
  useEffect(() => {
    if (canvas.current && picture && cut) {
      Object.assign(canvas.current, { width: cut.width, height: cut.height });
      canvas.current.getContext("2d")?.drawImage(picture, -cut.x, -cut.y);
    }
  });
  const finish = () => {
    if (shape === "none") {
      onDone(file);
      return;
    }
    canvas.current?.toBlob((blob) => (blob ? onDone(blob) : toastError(new Error(words.gone))), file.type, QUALITY);
  };
  const options = (Object.keys(SHAPES) as Shape[]).map((value) => ({
    value,
    label: value === "none" ? words.cropNone : value,
  }));
  return (
    <Stack>
      <Text fw={550}>{words.crop}</Text>
      <SegmentedControl
        aria-label={words.crop}
        data={options}
        value={shape}
        onChange={(value) => setShape(value as Shape)}
      />
      <canvas ref={canvas} className={classes.cut} />
      {picture && cut && cut.width < picture.width && (
        <Slider aria-label={words.cropAcross} label={null} value={across} onChange={setAcross} />
      )}
      {picture && cut && cut.height < picture.height && (
        <Slider aria-label={words.cropDown} label={null} value={down} onChange={setDown} />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          {texts.ui.cancel}
        </Button>
        <Button onClick={finish} disabled={!picture}>
          {words.cropUpload}
        </Button>
      </Group>
    </Stack>
  );
}

/** Return the largest part of a picture with a shape, at a place from 0 to 1 in each direction. */
export function cutOf(
  { width, height }: { width: number; height: number },
  shape: number | null,
  x: number,
  y: number,
) {
  const cutWidth = shape === null ? width : Math.min(width, Math.round(height * shape));
  const cutHeight = shape === null ? height : Math.min(height, Math.round(width / shape));
  return {
    width: cutWidth,
    height: cutHeight,
    x: Math.round((width - cutWidth) * x),
    y: Math.round((height - cutHeight) * y),
  };
}
