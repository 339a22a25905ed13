import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { Dialog } from '../parts/dialog.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import './dashboard-dialog.css';

export interface DashboardDraft {
  name: string;
  is_shared: boolean;
}

interface DashboardDialogProps {
  title: string;
  action: string;
  first: DashboardDraft;
  user: User;
  onSave: (draft: DashboardDraft) => Promise<unknown>;
  onClose: () => void;
}

/** Form for the name of a dashboard and whether it is shared. */
export function DashboardDialog(props: DashboardDialogProps) {
  const { title, action, first, user, onSave, onClose } = props;
  const [draft, setDraft] = useState(first);
  const { error, busy, attempt } = useAttempt();
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!busy && (await attempt(() => onSave(draft)))) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <TextField
          label={t`Name`}
          required
          maxLength={100}
          value={draft.name}
          onChange={(value) => setDraft({ ...draft, name: value })}
        />
        {(mayWrite(user) || first.is_shared) && (
          <label className="dashboard-share">
            <input
              type="checkbox"
              checked={draft.is_shared}
              onChange={({ target }) => setDraft({ ...draft, is_shared: target.checked })}
            />
            <Trans>Shared with all members</Trans>
          </label>
        )}
        <DialogActions error={error} action={action} onClose={onClose} />
      </form>
    </Dialog>
  );
}
