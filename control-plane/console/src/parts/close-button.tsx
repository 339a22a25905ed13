import { Trans } from '@lingui/react/macro';

/** Ends a dialog that only shows something. */
export const CloseButton = ({ onClose }: { onClose: () => void }) => (
  <div className="dialog-actions">
    <button type="button" className="button" onClick={onClose}>
      <Trans>Close</Trans>
    </button>
  </div>
);
