import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { CheckIcon, CopyIcon } from '../icons.tsx';
import './copy-button.css';

/**
 * Button that copies a text. Hidden on insecure origins: browsers allow clipboard access only over
 * TLS or from localhost.
 */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  if (!window.isSecureContext) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <button type="button" className="button" aria-label={label} onClick={() => void copy()}>
      {copied ? <CheckIcon /> : <CopyIcon />}
      <span aria-live="polite">{copied ? t`Copied` : t`Copy`}</span>
    </button>
  );
}
