import { Button, Group, Progress, Select, Stack, Text } from "@mantine/core";
import { IconLanguage } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { projectQuery, useCan } from "@/api/projects";
import { useInvalidate } from "@/api/useInvalidate";
import { languageName } from "@/features/settings/languages";
import { useKeptWork, useUnsavedWork } from "@/ui/form/unsavedWork";
import { ButtonLink } from "@/ui/links";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState, QueryView, TextSkeleton } from "@/ui/states";
import { SearchInput } from "@/ui/table/SearchInput";
import { FileActions } from "./FileActions";
import { MachineDraft } from "./MachineDraft";
import {
  idOf,
  keyOf,
  percentOf,
  type Scope,
  STATES,
  saveTexts,
  scopeQuery,
  type Translated,
  type TranslationRow,
} from "./queries";
import { TranslationSaver } from "./saver";
import { TranslationsTable } from "./TranslationsTable";
import { translationTexts as words } from "./texts";

/** A project may have thousands of texts. So many are shown at first, and with each press of the button below. */
const SHOWN = 500;

export interface TranslationsSearch {
  locale?: string | undefined;
  state?: (typeof STATES)[number] | undefined;
  search?: string | undefined;
}

interface TranslationsProps {
  scope: Scope;
  projectId: string;
  /** The name of the flow. */
  object?: string;
  search: TranslationsSearch;
  onSearch: (change: TranslationsSearch) => void;
  action?: ReactNode;
}

/** Translations of a flow or a project, a language at a time. */
export function Translations(props: TranslationsProps) {
  const { scope, projectId, object, search } = props;
  const project = useQuery(projectQuery(projectId));
  return (
    <QueryView query={project} isPage skeleton={<TextSkeleton />}>
      {({ data }) => {
        const locales = data.settings.locales.slice(1);
        const locale = locales.find((known) => known === search.locale) ?? locales[0];
        return locale ? (
          <Texts key={`${idOf(scope)} ${locale}`} {...props} locale={locale} locales={locales} />
        ) : (
          <>
            <PageHeader title={words.title} object={object} />
            <EmptyState
              icon={<IconLanguage size={32} stroke={1.5} />}
              title={words.oneLanguage}
              text={words.oneLanguageText}
              action={
                <ButtonLink to="/projects/$projectId/settings" params={{ projectId }} variant="default">
                  {words.settings}
                </ButtonLink>
              }
            />
          </>
        );
      }}
    </QueryView>
  );
}

interface TextsProps extends TranslationsProps {
  locale: string;
  locales: readonly string[];
}

function Texts({ scope, object, locale, locales, search: { state, search }, onSearch, action }: TextsProps) {
  const canEdit = useCan("editor");
  const translations = useQuery(scopeQuery(scope, locale));
  const id = idOf(scope);
  const keptUnder = `translations:${id}:${locale}`;
  const kept = useKeptWork<Record<string, Translated>>(keptUnder);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the id stands for the scope, which is made anew each time
  const saver = useMemo(() => {
    const send = (texts: Record<string, Translated>) => saveTexts(scope, locale, texts);
    return new TranslationSaver(send, kept ?? {});
  }, [id, locale, kept]);
  useEffect(() => {
    void saver.flush();
    return () => saver.close();
  }, [saver]);

  // A text that was edited stays in sight when its state changes.
  const touched = useRef(new Set<string>());
  const wanted = (search ?? "").toLowerCase();
  const isShown = (row: TranslationRow) =>
    touched.current.has(keyOf(row)) ||
    ((!state || row.state === state) &&
      [row.base, row.text, row.screen_name ?? "", row.flow_name ?? ""].some((text) =>
        text.toLowerCase().includes(wanted),
      ));
  const edit = useCallback(
    (key: string, edited: Translated) => {
      touched.current.add(key);
      saver.set(key, edited);
    },
    [saver],
  );
  const leave = useCallback(() => void saver.flush(), [saver]);
  const [shownCount, setShownCount] = useState(SHOWN);
  const counts = translations.data?.summary[locale];
  return (
    <>
      <PageHeader
        title={words.title}
        object={object}
        text={object === undefined ? words.projectHelp : words.help}
        actions={
          <>
            {action}
            {canEdit && "flowId" in scope && (
              <MachineDraft
                flowId={scope.flowId}
                locale={locale}
                missing={counts?.missing ?? 0}
                onStart={() => saver.flush()}
              />
            )}
            <FileActions scope={scope} locale={locale} canEdit={canEdit} onExport={() => saver.flush()} />
          </>
        }
      />
      <Group mb="md" align="flex-end">
        <Select
          label={words.language}
          data={locales.map((other) => ({
            value: other,
            label: words.percent(languageName(other), percentOf(translations.data?.summary[other])),
          }))}
          value={locale}
          allowDeselect={false}
          searchable
          w={260}
          onChange={(next) => next && onSearch({ locale: next })}
        />
        <Select
          label={words.state}
          placeholder={words.anyState}
          clearable
          data={STATES.map((value) => ({ value, label: words.states[value] }))}
          value={state ?? null}
          w={160}
          onChange={(next) => onSearch({ state: STATES.find((value) => value === next) })}
        />
        <SearchInput label={words.search} value={search} onSearch={(next) => onSearch({ search: next })} />
        <SaveStatus saver={saver} keptUnder={keptUnder} />
      </Group>
      {counts && <Progress value={percentOf(counts)} size="sm" mb="md" aria-label={words.language} />}
      <QueryView query={translations} skeleton={<TextSkeleton />}>
        {({ rows }) => {
          const shown = rows.filter(isShown);
          return shown.length > 0 ? (
            <Stack gap="xs">
              {canEdit && (
                <Text size="xs" c="dimmed">
                  {words.keyboard}
                </Text>
              )}
              <TranslationsTable
                rows={shown.slice(0, shownCount)}
                locale={locale}
                saver={saver}
                canEdit={canEdit}
                onEdit={edit}
                onLeave={leave}
              />
              {shown.length > shownCount && (
                <Button variant="default" mx="auto" onClick={() => setShownCount(shownCount + SHOWN)}>
                  {words.more(shown.length - shownCount)}
                </Button>
              )}
            </Stack>
          ) : (
            <EmptyState icon={<IconLanguage size={32} stroke={1.5} />} title={words.nothing} text={words.nothingText} />
          );
        }}
      </QueryView>
    </>
  );
}

/** Whether the texts are saved, in words. Each key renders this and the row of the text, and nothing else. */
function SaveStatus({ saver, keptUnder }: { saver: TranslationSaver; keptUnder: string }) {
  const invalidate = useInvalidate();
  const { edits, status, reason } = useSyncExternalStore(saver.subscribe, saver.getState);
  useUnsavedWork(keptUnder, Object.keys(edits).length > 0 ? edits : null);
  // What was saved is read again, so that states and counts are those of the service.
  useEffect(() => {
    if (status === "saved") {
      void invalidate("flow");
    }
  }, [status, invalidate]);
  const text = { saved: "", saving: words.saving, waiting: words.waiting, failed: words.failed(reason) }[status];
  return (
    <Text size="sm" c={status === "failed" ? "red" : "dimmed"} role="status">
      {text}
    </Text>
  );
}
