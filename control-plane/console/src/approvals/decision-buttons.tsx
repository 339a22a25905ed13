import { Trans } from '@lingui/react/macro';

interface DecisionButtonsProps {
  busy: boolean;
  onApprove: () => void;
  onDeny: () => void;
}

export const DecisionButtons = ({ busy, onApprove, onDeny }: DecisionButtonsProps) => (
  <div className="button-row">
    <button type="button" className="button primary" disabled={busy} onClick={onApprove}>
      <Trans>Approve</Trans>
    </button>
    <button type="button" className="button danger" disabled={busy} onClick={onDeny}>
      <Trans>Deny</Trans>
    </button>
  </div>
);
