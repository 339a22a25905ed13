import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { CatalogHost } from '../data/guard-sources.ts';

interface PatternHostProps {
  /** Catalog entry whose host is a pattern, such as `*.example.com`. */
  pattern: CatalogHost;
  onAdd: (host: string) => void;
}

/** Field for a host that matches a pattern, because capture needs full host names. */
export function PatternHost({ pattern: { host: pattern, name }, onAdd }: PatternHostProps) {
  const [label, setLabel] = useState('');
  const suffix = pattern.slice(1);
  return (
    <li>
      <form
        className="host"
        onSubmit={(event) => {
          event.preventDefault();
          onAdd(`${label.toLowerCase()}${suffix}`);
          setLabel('');
        }}
      >
        <input
          className="field mono"
          aria-label={t`Your host for ${pattern}`}
          placeholder="your-name"
          title={t`${name}: letters, digits and hyphens`}
          required
          // Encoded names could look like others, and are refused.
          pattern="(?![Xx][Nn]--)[A-Za-z0-9]([A-Za-z0-9\-]{0,61}[A-Za-z0-9])?"
          value={label}
          onChange={(event) => setLabel(event.target.value)}
        />
        <span className="clipped mono muted" title={pattern}>
          {suffix}
        </span>
        <button type="submit" className="button">
          <Trans>Switch on</Trans>
        </button>
      </form>
    </li>
  );
}
