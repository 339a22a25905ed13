import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { useAttempt } from './use-attempt.ts';

interface ConfirmDialogProps {
  title: string;
  /** Label of the confirm button. */
  action: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  /** Description of the outcome. */
  children: ReactNode;
}

/** Confirmation dialog for actions that are destructive or irreversible. */
export function ConfirmDialog({ title, action, onConfirm, onClose, children }: ConfirmDialogProps) {
  const { error, busy, attempt } = useAttempt();
  const confirm = async () => {
    if (await attempt(onConfirm)) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <p className="form-error" role="alert">
        {error}
      </p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          <Trans>Cancel</Trans>
        </button>
        <button
          type="button"
          className="button danger filled"
          disabled={busy}
          onClick={() => void confirm()}
        >
          {action}
        </button>
      </div>
    </Dialog>
  );
}
