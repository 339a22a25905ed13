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
      <p>Copy it now. It will not be shown again.</p>
      <span className="command">
        <input
          className="field mono"
          aria-label={label}
          readOnly
          value={value}
          onFocus={(event) => event.target.select()}
        />
        <CopyButton text={value} label="Copy to the clipboard" />
      </span>
      <div className="dialog-actions">
        <button type="button" className="button primary" onClick={onClose}>
          Done
        </button>
      </div>
    </>
  );
}
