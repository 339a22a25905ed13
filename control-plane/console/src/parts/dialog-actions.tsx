import { Trans } from '@lingui/react/macro';

interface DialogActionsProps {
  error: string | undefined;
  /** Label of the submit button. */
  action: string;
  onClose: () => void;
}

/** Footer of a form in a dialog: error, cancel and submit. */
export const DialogActions = ({ error, action, onClose }: DialogActionsProps) => (
  <>
    <p className="form-error" role="alert">
      {error}
    </p>
    <div className="dialog-actions">
      <button type="button" className="button" onClick={onClose}>
        <Trans>Cancel</Trans>
      </button>
      <button type="submit" className="button primary">
        {action}
      </button>
    </div>
  </>
);

/** Footer of a dialog without a form. */
export const CloseButton = ({ onClose }: { onClose: () => void }) => (
  <div className="dialog-actions">
    <button type="button" className="button" onClick={onClose}>
      <Trans>Close</Trans>
    </button>
  </div>
);
