import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import { allDatasets } from '../data/dataset-sources.ts';
import type { Dataset } from '../data/dataset-sources.ts';
import type { LlmCallDetail } from '../data/llm-call-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { readChat, readText } from '../messages/read-chat.ts';
import { Dialog } from '../parts/dialog.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { FormField } from '../parts/form-field.tsx';
import { TextField } from '../parts/text-field.tsx';
import { Loaded } from '../parts/notice.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { markInvisible } from '../mark-invisible.ts';
import { draftOfItem, itemOf } from './item-draft.ts';
import type { ItemErrors } from './item-draft.ts';
import { ItemFields } from './item-fields.tsx';

interface AddCallProps {
  call: LlmCallDetail;
  /** Receives the name of the dataset. */
  onAdded: (name: string) => void;
  onClose: () => void;
}

/**
 * Dialog that adds a recorded call to a dataset as an item. Its messages and answer can be edited
 * first.
 */
export function AddCall({ call, onAdded, onClose }: AddCallProps) {
  const datasets = useQuery(allDatasets());
  return (
    <Dialog title={t`Add LLM call ${call.id} to a dataset`} onClose={onClose} wide>
      <Loaded reading={datasets}>
        {(datasets) => <AddForm {...{ call, datasets, onAdded, onClose }} />}
      </Loaded>
    </Dialog>
  );
}

const NEW = '';

function AddForm({ call, datasets, onAdded, onClose }: AddCallProps & { datasets: Dataset[] }) {
  const { notes, ...read } = itemOfCall(call);
  const [draft, setDraft] = useState(() => draftOfItem(read.item));
  const [errors, setErrors] = useState<ItemErrors>({});
  const [target, setTarget] = useState(datasets[0]?.id ?? NEW);
  const [name, setName] = useState('');
  /** A dataset created by a failed attempt: the next attempt uses it. */
  const [created, setCreated] = useState<Dataset>();
  const offered = created ? [...datasets.filter(({ id }) => id !== created.id), created] : datasets;
  const { error, busy, attempt } = useAttempt();
  const createDataset = async () => {
    const dataset = await api.datasets.createDataset({ body: { name } });
    setCreated(dataset);
    setTarget(dataset.id);
    return dataset;
  };
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { item, errors } = { item: undefined, ...itemOf(draft) };
    setErrors(errors ?? {});
    if (!item || busy) return;
    const isAdded = await attempt(async () => {
      const chosen = offered.find(({ id }) => id === target) ?? (await createDataset());
      const body = { items: [{ ...item, llm_call_id: call.id }] };
      await api.datasets.addDatasetItems({ params: { dataset_id: chosen.id }, body });
      onAdded(chosen.name);
    });
    if (isAdded) onClose();
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <FormField label={t`Dataset`}>
        {(control) => (
          <select
            {...control}
            className="field"
            value={target}
            onChange={({ currentTarget }) => setTarget(currentTarget.value)}
          >
            {offered.map(({ id, name }) => (
              <option key={id} value={id}>
                {markInvisible(name)}
              </option>
            ))}
            <option value={NEW}>{t`A new dataset`}</option>
          </select>
        )}
      </FormField>
      {target === NEW && (
        <TextField
          label={t`Name of the dataset`}
          required
          maxLength={200}
          value={name}
          onChange={setName}
        />
      )}
      {notes.length > 0 && <p className="muted">{notes.join(' ')}</p>}
      <ItemFields draft={draft} errors={errors} onChange={setDraft} />
      <DialogActions error={error} action={t`Add`} onClose={onClose} />
    </form>
  );
}

function itemOfCall({ prompt_preview, response_preview }: LlmCallDetail) {
  const { content, notes } = readChat(prompt_preview);
  const input = typeof content === 'string' ? [{ role: 'user' as const, content }] : content;
  return { item: { input, expected_output: readText(response_preview), metadata: {} }, notes };
}
