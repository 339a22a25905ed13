import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { CopyButton } from './copy-button.tsx';

interface ShownOnceProps {
  /** Name of the secret, such as `New API key`. */
  label: string;
  value: string;
  onClose: () => void;
}

/** Dialog content for a secret that cannot be displayed again. */
export function ShownOnce({ label, value, onClose }: ShownOnceProps) {
  return (
    <>
      <p>
        <Trans>Copy it now. It will not be shown again.</Trans>
      </p>
      <span className="command">
        <input
          className="field mono"
          aria-label={label}
          readOnly
          value={value}
          onFocus={(event) => event.target.select()}
        />
        <CopyButton text={value} label={t`Copy to the clipboard`} />
      </span>
      <div className="dialog-actions">
        <button type="button" className="button primary" onClick={onClose}>
          <Trans>Done</Trans>
        </button>
      </div>
    </>
  );
}
