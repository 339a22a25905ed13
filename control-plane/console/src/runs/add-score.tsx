import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import { scoreNames } from '../data/score-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Choice } from '../parts/choice.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FormField } from '../parts/form-field.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { typeNames } from '../scores/score-words.ts';

type ScoreType = keyof typeof typeNames;

const types = (Object.keys(typeNames) as ScoreType[]).map((id) => ({ id, name: typeNames[id] }));

const booleans = [
  { id: 'true', name: t`True` },
  { id: 'false', name: t`False` },
] as const;

interface AddScoreProps {
  /** The record to score. A score of an LLM call also counts for its run. */
  subject: { run_id: number } | { llm_call_id: number };
  title?: string;
  onAdded?: () => void;
  onClose: () => void;
}

/** Dialog in which a person scores a run or an LLM call. */
export function AddScore({ subject, title = t`Add score`, onAdded, onClose }: AddScoreProps) {
  const [name, setName] = useState('');
  const [type, setType] = useState<ScoreType>('numeric');
  const [value, setValue] = useState('');
  const [comment, setComment] = useState('');
  const { data: names = [] } = useQuery(scoreNames());
  const { error, attempt } = useAttempt();
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = {
      ...subject,
      name: name.trim(),
      data_type: type,
      value: valueOf(type, value),
      ...(comment.trim() !== '' && { comment }),
    };
    if (!(await attempt(() => api.scores.createScore({ body })))) return;
    onAdded?.();
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <TextField
          label={t`Score`}
          required
          maxLength={200}
          list="score-names"
          value={name}
          onChange={setName}
        />
        <datalist id="score-names">
          {names.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
        <Choice
          label={t`Type`}
          options={types}
          value={type}
          onChange={(next) => {
            setType(next);
            setValue(next === 'boolean' ? 'true' : '');
          }}
        />
        {type === 'boolean' ? (
          <Choice
            label={t`Value`}
            options={booleans}
            value={value === 'false' ? 'false' : 'true'}
            onChange={setValue}
          />
        ) : (
          <TextField
            label={t`Value`}
            required
            type={type === 'numeric' ? 'number' : 'text'}
            step="any"
            maxLength={200}
            value={value}
            onChange={setValue}
          />
        )}
        <FormField label={t`Comment`}>
          {(control) => (
            <textarea
              {...control}
              className="field"
              rows={3}
              value={comment}
              onChange={({ target }) => setComment(target.value)}
            />
          )}
        </FormField>
        <DialogActions error={error} action={t`Add score`} onClose={onClose} />
      </form>
    </Dialog>
  );
}

function valueOf(type: ScoreType, text: string): number | string | boolean {
  if (type === 'numeric') return Number(text);
  return type === 'boolean' ? text === 'true' : text;
}
