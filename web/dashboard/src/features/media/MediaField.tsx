import { Button, Group, Input, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";
import classes from "./Media.module.css";
import { mediaQuery } from "./queries";
import { type MediaReference, referenceOf, stillOf } from "./references";
import { mediaTexts as words } from "./texts";
import { useMediaFiles } from "./useMediaFiles";

const MediaPicker = lazyDialog(async () => (await import("./MediaPicker")).MediaPicker);

interface MediaFieldProps {
  label: string;
  description: string | undefined;
  error: string | undefined;
  disabled: boolean;
  /** An address, or a reference to a file of the library. */
  value: unknown;
  "data-member": string;
  /** Whether an address is taken, too. */
  hasAddress?: boolean;
  /** Whether a font is chosen, and not a picture. */
  isFont?: boolean;
  onChange: (value: string | MediaReference) => void;
}

/** The input for a picture: an address, or a file of the library. */
export function MediaField({ value, onChange, hasAddress = true, isFont = false, ...input }: MediaFieldProps) {
  const [isOpen, { open, close }] = useDisclosure();
  const reference = referenceOf(value);
  const button = (
    <Button size="compact-sm" variant="default" disabled={input.disabled} onClick={open}>
      {isFont ? words.fonts.choose : reference ? words.fieldChange : words.fieldChoose}
    </Button>
  );
  return (
    <>
      {reference || !hasAddress ? (
        <Input.Wrapper label={input.label} error={input.error} labelElement="div">
          <Group gap="xs" data-member={input["data-member"]}>
            {reference && <Chosen mediaId={reference.media_id} />}
            <div>
              {button}
              {reference && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="red"
                  disabled={input.disabled}
                  onClick={() => onChange("")}
                >
                  {isFont ? words.fonts.remove : words.fieldRemove}
                </Button>
              )}
            </div>
          </Group>
        </Input.Wrapper>
      ) : (
        <>
          <TextInput
            {...input}
            value={typeof value === "string" ? value : ""}
            onChange={(event) => onChange(event.target.value)}
          />
          <Group mt={6}>{button}</Group>
        </>
      )}
      {isOpen && (
        <MediaPicker
          chosen={reference?.media_id ?? null}
          isFont={isFont}
          onChoose={(file) => {
            close();
            onChange({ media_id: file.id });
          }}
          onClose={close}
        />
      )}
    </>
  );
}

function Chosen({ mediaId }: { mediaId: string }) {
  const { data, isError } = useQuery({ ...mediaQuery(mediaId), ...OPTIONAL_QUERY });
  const files = useMediaFiles([mediaId]);
  const still = data && stillOf(data, files);
  return (
    <Group wrap="nowrap" gap="sm">
      {still ? <img className={classes.thumb} src={still} alt={data.alt} /> : <span className={classes.thumb} />}
      <Text size="sm" lineClamp={2}>
        {isError ? words.gone : data?.name}
      </Text>
    </Group>
  );
}
