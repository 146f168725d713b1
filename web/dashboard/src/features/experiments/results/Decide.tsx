import { Alert, Badge, Button, Group, List, Radio, Stack, Text, TextInput } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { projectQuery } from "@/api/projects";
import type { Tagged } from "@/api/responses";
import type { ExperimentView } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { LiveFacts } from "@/features/audience/LiveFacts";
import { conditionTexts } from "@/features/audience/texts";
import { replaceDefault } from "@/features/flows/liveActs";
import { flowTexts } from "@/features/flows/texts";
import { texts } from "@/texts";
import { Dialog } from "@/ui/feedback/Dialog";
import { toast } from "@/ui/feedback/feedback";
import { useUndo } from "@/ui/feedback/useUndo";
import { FailureAlert } from "@/ui/form/ApiFormView";
import { failureOf } from "@/ui/form/fieldErrors";
import { completeExperiment } from "../queries";
import { experimentTexts } from "../texts";
import type { Verdict } from "./verdict";

const words = experimentTexts.decide;
const NO_WINNER = "";

interface DecideProps {
  experiment: Tagged<ExperimentView>;
  verdict: Verdict;
  flowNames: ReadonlyMap<string, string>;
  onClose: () => void;
}

/** A dialog that ends an experiment with a winner or without one, and names the consequences. */
export function Decide({ experiment: tagged, verdict, flowNames, onClose }: DecideProps) {
  const experiment = tagged.data;
  const { variants, project_id: projectId } = experiment;
  const client = useQueryClient();
  const offerUndo = useUndo("flow");
  const invalidate = useInvalidate();
  const defaultFlow = useQuery(projectQuery(projectId)).data?.data.settings.default_flow_id ?? null;
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<string | null>(verdict.best);
  const winner = variants.find(({ key }) => key === chosen);
  const flowOf = (id: string, name: string) => flowNames.get(id) ?? name;

  const complete = useMutation({
    mutationFn: () => completeExperiment(experiment.id, winner?.key ?? null, tagged.etag),
    onSuccess: async () => {
      await invalidate("experiment");
      if (winner && defaultFlow !== null && winner.flow_id !== defaultFlow) {
        const bringBack = () => replaceDefault(client, projectId, winner.flow_id, defaultFlow);
        offerUndo(words.done(winner.name), bringBack, words.undone(flowOf(defaultFlow, words.presentDefault)));
      } else {
        toast(winner ? words.done(winner.name) : words.doneNoWinner);
      }
      onClose();
    },
    onError: () => invalidate("experiment"),
  });
  const supports = winner === undefined || verdict.best === winner.key;

  return (
    <Dialog title={words.title} size="lg" onClose={onClose}>
      <Stack gap="md">
        <Text>{words.text}</Text>
        <Radio.Group label={words.choice} value={chosen} onChange={setChosen}>
          <Stack gap="sm" mt="xs">
            {variants.map(({ key, name, flow_id }) => (
              <Radio
                key={key}
                value={key}
                label={
                  <Group gap="xs">
                    {words.winner(name, flowOf(flow_id, name))}
                    {verdict.best === key && <Badge color="teal">{words.recommended}</Badge>}
                  </Group>
                }
              />
            ))}
            <Radio value={NO_WINNER} label={words.noWinner} description={words.noWinnerHelp} />
          </Stack>
        </Radio.Group>
        {winner && (
          <div role="status">
            <LiveFacts
              projectId={projectId}
              who={conditionTexts.everyoneElse}
              flow={
                defaultFlow === null
                  ? undefined
                  : { id: defaultFlow, name: flowNames.get(defaultFlow) ?? flowTexts.presentDefault }
              }
            />
            <List size="sm" mt="sm">
              <List.Item>
                {winner.flow_id === defaultFlow
                  ? words.isDefault(flowOf(winner.flow_id, winner.name))
                  : words.makesDefault(flowOf(winner.flow_id, winner.name))}
              </List.Item>
              {defaultFlow !== null && winner.flow_id !== defaultFlow && (
                <List.Item>{words.replaces(flowNames.get(defaultFlow) ?? words.presentDefault)}</List.Item>
              )}
              <List.Item>{words.conditions}</List.Item>
            </List>
          </div>
        )}
        {!supports && (
          <Alert color="yellow" variant="light" icon={<IconAlertTriangle size={18} />}>
            {verdict.kind === "mismatch" ? words.distrusted : words.unsafe}
          </Alert>
        )}
        <TextInput
          label={texts.ui.typeToConfirm(experiment.name)}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
        />
        {complete.isError && <FailureAlert failure={failureOf(complete.error)} />}
        <Group justify="flex-end" gap="sm">
          {chosen === null && (
            <Text size="sm" c="dimmed" flex="1 1 200px">
              {words.choose}
            </Text>
          )}
          <Group gap="sm" ml="auto" wrap="nowrap">
            <Button variant="default" onClick={onClose}>
              {texts.ui.cancel}
            </Button>
            <Button
              disabled={chosen === null || typed.trim() !== experiment.name.trim()}
              loading={complete.isPending}
              onClick={() => complete.mutate()}
            >
              {winner ? words.submit(winner.name) : words.submitNoWinner}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Dialog>
  );
}
