import { t } from '@lingui/core/macro';

/** Announces that a form has been saved. */
export const SavedNote = ({ saved }: { saved: boolean }) => (
  <span role="status" className="muted">
    {saved && t`Saved.`}
  </span>
);
