import { Group, Progress, Select, Stack, Text } from "@mantine/core";
import { IconLanguage } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { projectQuery, useCan } from "@/api/projects";
import { useInvalidate } from "@/api/useInvalidate";
import { flowQuery } from "@/features/analytics/queries";
import { languageName } from "@/features/settings/languages";
import { useKeptWork, useUnsavedWork } from "@/ui/form/unsavedWork";
import { ButtonLink } from "@/ui/links";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState, QueryView, TextSkeleton } from "@/ui/states";
import { SearchInput } from "@/ui/table/SearchInput";
import { FileActions } from "./FileActions";
import {
  keyOf,
  percentOf,
  STATES,
  saveTexts,
  type Translated,
  type TranslationRow,
  translationsQuery,
} from "./queries";
import { TranslationSaver } from "./saver";
import { TranslationsTable } from "./TranslationsTable";
import { translationTexts as words } from "./texts";

const route = getRouteApi("/projects/$projectId/flows/$flowId/translations");
/** The translations of a flow: a language at a time, edited in place, and files of them. */
export function TranslationsPage() {
  const { flowId, projectId } = route.useParams();
  const search = route.useSearch();
  const project = useQuery(projectQuery(projectId));
  const flow = useQuery(flowQuery(flowId));
  return (
    <QueryView query={flow} isPage skeleton={<TextSkeleton />}>
      {({ name }) => (
        <QueryView query={project} isPage skeleton={<TextSkeleton />}>
          {({ data }) => {
            const locales = data.settings.locales.slice(1);
            const locale = locales.find((known) => known === search.locale) ?? locales[0];
            return locale ? (
              <Texts key={`${flowId} ${locale}`} flowId={flowId} locale={locale} locales={locales} name={name} />
            ) : (
              <>
                <PageHeader title={words.title} object={name} />
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
      )}
    </QueryView>
  );
}

interface TextsProps {
  flowId: string;
  locale: string;
  locales: readonly string[];
  name: string;
}

function Texts({ flowId, locale, locales, name }: TextsProps) {
  const { state, search } = route.useSearch();
  const navigate = useNavigate({ from: route.id });
  const invalidate = useInvalidate();
  const canEdit = useCan("editor");
  const translations = useQuery(translationsQuery(flowId, locale));
  const keptUnder = `translations:${flowId}:${locale}`;
  const kept = useKeptWork<Record<string, Translated>>(keptUnder);
  const saver = useMemo(() => {
    const send = (texts: Record<string, Translated>) => saveTexts(flowId, locale, texts);
    return new TranslationSaver(send, kept ?? {});
  }, [flowId, locale, kept]);
  const saving = useSyncExternalStore(saver.subscribe, saver.getState);
  useUnsavedWork(keptUnder, Object.keys(saving.edits).length > 0 ? saving.edits : null);
  useEffect(() => {
    void saver.flush();
    return () => saver.close();
  }, [saver]);
  // What was saved is read again, so that states and counts are those of the service.
  useEffect(() => {
    if (saving.status === "saved") {
      void invalidate("flow");
    }
  }, [saving.status, invalidate]);

  // A text that was edited stays in sight when its state changes.
  const touched = useRef(new Set<string>());
  const wanted = (search ?? "").toLowerCase();
  const isShown = (row: TranslationRow) =>
    touched.current.has(keyOf(row)) ||
    ((!state || row.state === state) &&
      [row.base, row.text, row.screen_name ?? ""].some((text) => text.toLowerCase().includes(wanted)));
  const counts = translations.data?.summary[locale];
  const status = {
    saved: "",
    saving: words.saving,
    waiting: words.waiting,
    failed: words.failed(saving.reason),
  }[saving.status];
  return (
    <>
      <PageHeader
        title={words.title}
        object={name}
        text={words.help}
        actions={<FileActions flowId={flowId} locale={locale} canEdit={canEdit} onExport={() => saver.flush()} />}
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
          onChange={(next) => next && void navigate({ search: (present) => ({ ...present, locale: next }) })}
        />
        <Select
          label={words.state}
          placeholder={words.anyState}
          clearable
          data={STATES.map((value) => ({ value, label: words.states[value] }))}
          value={state ?? null}
          w={160}
          onChange={(next) =>
            void navigate({ search: (present) => ({ ...present, state: STATES.find((value) => value === next) }) })
          }
        />
        <SearchInput
          label={words.search}
          value={search}
          onSearch={(next) => void navigate({ search: (present) => ({ ...present, search: next }), replace: true })}
        />
        <Text size="sm" c={saving.status === "failed" ? "red" : "dimmed"} role="status">
          {status}
        </Text>
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
                rows={shown}
                locale={locale}
                saver={saving}
                canEdit={canEdit}
                onEdit={(key, edit) => {
                  touched.current.add(key);
                  saver.set(key, edit);
                }}
                onLeave={() => void saver.flush()}
              />
            </Stack>
          ) : (
            <EmptyState icon={<IconLanguage size={32} stroke={1.5} />} title={words.nothing} text={words.nothingText} />
          );
        }}
      </QueryView>
    </>
  );
}
