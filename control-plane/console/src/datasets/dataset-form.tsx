import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useAttempt } from '../parts/use-attempt.ts';

interface DatasetDraft {
  name: string;
  description: string;
}

interface DatasetFormProps {
  title: string;
  action: string;
  first: DatasetDraft;
  onSave: (draft: DatasetDraft) => Promise<unknown>;
  onClose: () => void;
}

/** Form for the name and description of a dataset. */
export function DatasetForm({ title, action, first, onSave, onClose }: DatasetFormProps) {
  const [name, setName] = useState(first.name);
  const [description, setDescription] = useState(first.description);
  const { error, busy, attempt } = useAttempt();
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!busy && (await attempt(() => onSave({ name, description })))) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <TextField label={t`Name`} required maxLength={200} value={name} onChange={setName} />
        <TextField
          label={t`Description`}
          maxLength={10_000}
          value={description}
          onChange={setDescription}
        />
        <DialogActions error={error} action={action} onClose={onClose} />
      </form>
    </Dialog>
  );
}
