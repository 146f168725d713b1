import { Alert, Button, Center, Code, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { SignedOut } from "@/api/session/session";
import { texts } from "@/texts";

interface SignInPageProps {
  signedOut: SignedOut;
  development: boolean;
}

/** The page without a session: the reason, and the button to sign in. */
export function SignInPage({ signedOut, development }: SignInPageProps) {
  const { reason, message, signIn } = signedOut;
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack w="100%" maw={360} gap="lg">
        <img src="/dashboard/icon.svg" alt="" width={40} height={40} />
        <Title order={1}>{texts.session.title}</Title>
        {reason === "expired" && <Alert color="yellow">{texts.session.expired}</Alert>}
        {reason === "signed_out" && <Alert color="gray">{texts.session.signedOut}</Alert>}
        {reason === "failed" && (
          <Alert color="red" title={texts.session.failed}>
            {message}
          </Alert>
        )}
        {signIn && (
          <Stack gap="xs">
            <Text c="dimmed">{texts.session.noSession}</Text>
            <Button onClick={() => void signIn()}>{texts.session.signIn}</Button>
          </Stack>
        )}
        {development && <DevelopmentToken />}
      </Stack>
    </Center>
  );
}

/** The form for a token of the development identity. It signs in like a link with the token in its fragment. */
function DevelopmentToken() {
  const [token, setToken] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    window.location.hash = `token=${token.trim()}`;
    window.location.reload();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text c="dimmed">{withCode(texts.session.development)}</Text>
        <PasswordInput
          label={texts.session.developmentToken}
          description={withCode(texts.session.developmentHelp)}
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
          autoComplete="off"
        />
        <Button type="submit" disabled={token.trim() === ""}>
          {texts.session.signIn}
        </Button>
      </Stack>
    </form>
  );
}

/** Return a text with the parts between backticks as code. */
function withCode(text: string) {
  return text.split("`").map((part, index) => (index % 2 === 1 ? <Code key={part}>{part}</Code> : part));
}
