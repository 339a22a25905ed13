import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import type { Dataset } from '../data/dataset-sources.ts';
import type { Experiment } from '../data/experiment-sources.ts';
import { playgroundProvider } from '../data/playground-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { NumberField } from '../notifications/number-field.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { TextField } from '../parts/text-field.tsx';
import { Loaded } from '../parts/notice.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { ProviderState } from '../playground/provider-state.tsx';
import { configOf, emptyConfig } from '../prompts/config-draft.ts';
import type { ConfigErrors } from '../prompts/config-draft.ts';
import { ConfigField } from '../prompts/config-field.tsx';
import { evaluatorOf, evaluatorsProblem } from './evaluator-draft.ts';
import type { EvaluatorDraft } from './evaluator-draft.ts';
import { EvaluatorsField } from './evaluators-field.tsx';
import { firstPrompt, promptOf } from './prompt-choice.ts';
import { PromptChoiceField } from './prompt-choice-field.tsx';

interface StartExperimentProps {
  dataset: Dataset;
  onStarted: (experiment: Experiment) => void;
  onClose: () => void;
}

/** Form that starts an experiment: a prompt, a model and evaluators for the items of a dataset. */
export function StartExperiment(props: StartExperimentProps) {
  const provider = useQuery(playgroundProvider());
  return (
    <Dialog title={t`Start experiment`} onClose={props.onClose} wide>
      <Loaded reading={provider}>
        {(provider) => (
          <>
            <ProviderState provider={provider} />
            {provider.problem === null && <StartForm {...props} models={provider.models} />}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

function StartForm({
  dataset,
  models,
  onStarted,
  onClose,
}: StartExperimentProps & { models: readonly string[] }) {
  const [name, setName] = useState(t`Experiment ${dataset.experiment_count + 1}`);
  const [prompt, setPrompt] = useState(firstPrompt);
  const [config, setConfig] = useState(emptyConfig);
  const [errors, setErrors] = useState<ConfigErrors>({});
  const [evaluators, setEvaluators] = useState<EvaluatorDraft[]>([]);
  const [concurrency, setConcurrency] = useState(4);
  const { error, busy, attempt } = useAttempt();
  const problem = evaluatorsProblem(evaluators);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const read = configOf(config);
    setErrors(read.errors ?? {});
    if (read.errors || problem !== undefined || busy) return;
    const body = {
      name,
      ...promptOf(prompt),
      config: read.config,
      evaluators: evaluators.map(evaluatorOf),
      concurrency,
    };
    await attempt(async () => {
      const params = { dataset_id: dataset.id };
      onStarted(await api.experiments.startExperiment({ params, body }));
    });
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <TextField label={t`Name`} required maxLength={200} value={name} onChange={setName} />
      <PromptChoiceField choice={prompt} onChange={setPrompt} />
      <ConfigField draft={config} errors={errors} models={models} onChange={setConfig} />
      {prompt.kind === 'stored' && (
        <p className="muted">
          <Trans>Empty settings are taken from the prompt version.</Trans>
        </p>
      )}
      <EvaluatorsField drafts={evaluators} onChange={setEvaluators} />
      <NumberField
        label={t`Concurrency`}
        hint={t`Number of items that run at the same time.`}
        min={1}
        max={10}
        value={concurrency}
        onChange={setConcurrency}
      />
      <DialogActions
        error={problem ?? error}
        action={t`Run over ${plural(dataset.item_count, { one: '# item', other: '# items' })}`}
        onClose={onClose}
      />
    </form>
  );
}
