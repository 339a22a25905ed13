interface DialogActionsProps {
  error: string | undefined;
  /** What submitting the form does. */
  action: string;
  onClose: () => void;
}

/** The end of a form in a dialog: what was refused, and the ways out. */
export const DialogActions = ({ error, action, onClose }: DialogActionsProps) => (
  <>
    <p className="form-error" role="alert">
      {error}
    </p>
    <div className="dialog-actions">
      <button type="button" className="button" onClick={onClose}>
        Cancel
      </button>
      <button type="submit" className="button primary">
        {action}
      </button>
    </div>
  </>
);
