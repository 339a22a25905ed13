import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import type { QueueBody } from '../data/annotation-queue-sources.ts';
import { Dialog } from '../parts/dialog.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { FormField } from '../parts/form-field.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { bodyOf } from './queue-draft.ts';
import type { QueueDraft } from './queue-draft.ts';
import { ScoreConfigs } from './score-configs.tsx';

interface QueueDialogProps {
  title: string;
  action: string;
  first: QueueDraft;
  onSave: (body: QueueBody) => Promise<unknown>;
  onClose: () => void;
}

/** Form for all settings of a queue. */
export function QueueDialog({ title, action, first, onSave, onClose }: QueueDialogProps) {
  const [draft, setDraft] = useState(first);
  const { error, busy, attempt } = useAttempt();
  const change = (changes: Partial<QueueDraft>) => setDraft({ ...draft, ...changes });
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!busy && (await attempt(() => onSave(bodyOf(draft))))) onClose();
  };
  return (
    <Dialog title={title} wide onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <TextField
          label={t`Name`}
          required
          maxLength={200}
          value={draft.name}
          onChange={(value) => change({ name: value })}
        />
        <TextField
          label={t`Description`}
          maxLength={2000}
          value={draft.description}
          onChange={(value) => change({ description: value })}
        />
        <FormField label={t`Instructions`} hint={t`Markdown, shown to reviewers beside each run.`}>
          {(control) => (
            <textarea
              {...control}
              className="field"
              rows={4}
              maxLength={20_000}
              value={draft.instructions}
              onChange={({ target }) => change({ instructions: target.value })}
            />
          )}
        </FormField>
        <ScoreConfigs configs={draft.scores} onChange={(scores) => change({ scores })} />
        <DialogActions error={error} action={action} onClose={onClose} />
      </form>
    </Dialog>
  );
}
