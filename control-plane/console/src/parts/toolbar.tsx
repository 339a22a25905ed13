import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { FilterIcon } from '../icons.tsx';
import { usePhone } from './use-narrow.ts';
import './toolbar.css';

/**
 * Toolbar with the search and filters of a list. On phones, a button expands everything except the
 * search.
 */
export function Toolbar({ children }: { children: ReactNode }) {
  const phone = usePhone();
  const [opened, setOpened] = useState(false);
  if (!phone) return <div className="toolbar">{children}</div>;
  return (
    <div className={opened ? 'toolbar filters unfolded' : 'toolbar filters'}>
      {children}
      <button
        type="button"
        className="button unfold"
        aria-expanded={opened}
        onClick={() => setOpened(!opened)}
      >
        <FilterIcon />
        <Trans>Filters</Trans>
      </button>
    </div>
  );
}
