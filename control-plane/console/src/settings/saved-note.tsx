import { t } from '@lingui/core/macro';

/** Announces that a form was saved. */
export const SavedNote = ({ saved }: { saved: boolean }) => (
  <span role="status" className="muted">
    {saved && t`Saved.`}
  </span>
);
