import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { FilterIcon } from '../icons.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { usePhone } from '../parts/use-narrow.ts';

interface FilterToolbarProps {
  /** The search and the most important filters. */
  children: ReactNode;
  /** The remaining filters, which a button expands. */
  more: ReactNode;
  /** How many of the remaining filters are set. */
  count: number;
  /** Whether the remaining filters are expanded at first. */
  isOpen?: boolean;
  /** Controls for the whole list. */
  controls: ReactNode;
}

/** Toolbar of a list with many filters. */
export function FilterToolbar({ children, more, count, isOpen, controls }: FilterToolbarProps) {
  const phone = usePhone();
  const [opened, setOpened] = useState(isOpen === true || count > 0);
  return (
    <>
      <Toolbar>
        {children}
        {!phone && (
          <button
            type="button"
            className="button"
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            <FilterIcon />
            {count > 0 ? t`More filters (${count})` : t`More filters`}
          </button>
        )}
        {controls}
        {phone && more}
      </Toolbar>
      {opened && !phone && (
        <div className="toolbar" role="group" aria-label={t`More filters`}>
          {more}
        </div>
      )}
    </>
  );
}
