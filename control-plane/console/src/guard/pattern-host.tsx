import { useState } from 'react';
import type { CatalogHost } from '../data/sources.ts';

interface PatternHostProps {
  /** Its host is a pattern: `*.example.com`. */
  pattern: CatalogHost;
  onAdd: (host: string) => void;
}

/** Capture is for whole host names: of a pattern, each company has its own. */
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
          aria-label={`Your host of ${pattern}`}
          placeholder="your-name"
          title={name}
          required
          pattern="[A-Za-z0-9]([A-Za-z0-9\-]{0,61}[A-Za-z0-9])?"
          value={label}
          onChange={(event) => setLabel(event.target.value)}
        />
        <span className="clipped mono muted" title={pattern}>
          {suffix}
        </span>
        <button type="submit" className="button">
          Switch on
        </button>
      </form>
    </li>
  );
}
