import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import type { EndUserLimits } from '../data/settings-sources.ts';
import { Choice } from '../parts/choice.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useAttempt } from '../parts/use-attempt.ts';

interface LimitsFormProps {
  /** Undefined for new limits. */
  limits: EndUserLimits | undefined;
  onSaved: () => Promise<void>;
  onClose: () => void;
}

const kinds = [
  { id: 'user', name: t`End user` },
  { id: 'group', name: t`Group` },
] as const;

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

export function LimitsForm({ limits, onSaved, onClose }: LimitsFormProps) {
  const [kind, setKind] = useState(limits?.kind ?? 'user');
  const [id, setId] = useState(limits?.id ?? '');
  const [budget, setBudget] = useState(limits?.monthly_budget?.toString() ?? '');
  const [rate, setRate] = useState(limits?.requests_per_minute?.toString() ?? '');
  const { error, attempt } = useAttempt();
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const saved = await attempt(async () => {
      await api.endUsers.putEndUserLimits({
        params: { kind, id },
        body: { monthly_budget: numberOf(budget), requests_per_minute: numberOf(rate) },
      });
      await onSaved();
    });
    if (saved) onClose();
  };
  return (
    <Dialog title={limits ? t`Edit limit` : t`Add limit`} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        {!limits && <Choice label={t`Kind`} options={kinds} value={kind} onChange={setKind} />}
        <TextField
          label={kind === 'user' ? t`End user` : t`Group`}
          required
          maxLength={200}
          readOnly={limits !== undefined}
          value={id}
          onChange={setId}
        />
        <TextField
          label={t`Budget per month, $`}
          hint={t`Calendar month in UTC. Leave empty for no limit.`}
          type="number"
          min={0}
          max={1_000_000_000}
          step="any"
          value={budget}
          onChange={setBudget}
        />
        <TextField
          label={t`Requests per minute`}
          hint={t`Leave empty for no limit.`}
          type="number"
          min={1}
          max={1_000_000}
          step={1}
          value={rate}
          onChange={setRate}
        />
        <DialogActions error={error} action={t`Save limit`} onClose={onClose} />
      </form>
    </Dialog>
  );
}
