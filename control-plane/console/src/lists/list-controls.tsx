import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { Choice } from '../parts/choice.tsx';
import { closePopover, Popover } from '../parts/popover.tsx';
import { visible } from '../visible.ts';
import type { ListColumn } from './columns.ts';
import { shownColumns } from './columns.ts';
import { changeSettings, useListSettings } from './list-settings.ts';
import type { Density } from './list-settings.ts';
import './list-controls.css';

const densityNames = [
  { id: 'comfortable', name: t`Comfortable` },
  { id: 'compact', name: t`Compact` },
] as const satisfies { id: Density; name: string }[];

interface ColumnMenuProps {
  /** Key of the list in the settings. */
  list: string;
  columns: readonly Pick<ListColumn<never>, 'id' | 'label' | 'hidden'>[];
}

/** The columns of a list and the height of its rows, kept in this browser. */
export function ColumnMenu({ list, columns }: ColumnMenuProps) {
  const settings = useListSettings(list);
  // Also those that were chosen and are not known yet.
  const shown = new Set(settings.columns ?? shownColumns(columns, undefined).map(({ id }) => id));
  const toggle = (id: string) =>
    changeSettings(list, { columns: [...shown.symmetricDifference(new Set([id]))] });
  return (
    <Popover label={t`Columns and density`} summary={t`Columns`} look="button" atEnd>
      <fieldset className="menu-group">
        <legend>
          <Trans>Columns</Trans>
        </legend>
        {columns.slice(1).map(({ id, label }) => (
          <label key={id}>
            <input type="checkbox" checked={shown.has(id)} onChange={() => toggle(id)} />
            {label}
          </label>
        ))}
      </fieldset>
      <div className="menu-group">
        <Choice
          label={t`Density`}
          options={densityNames}
          value={settings.density}
          onChange={(density) => changeSettings(list, { density })}
        />
      </div>
    </Popover>
  );
}

interface ExportMenuProps {
  /** Rows that the filter matches; undefined until it is known. */
  count: number | undefined;
  /** More are not exported at once. */
  most: number;
  /** The address of the file, when it is clicked: it may depend on the time. */
  address: (format: 'csv' | 'jsonl') => string;
  /** Further entries of the menu. */
  children?: ReactNode;
}

const formatNames = { csv: 'CSV', jsonl: t`JSON Lines` } as const;

/** Downloads the rows that the filter matches. */
export function ExportMenu({ count, most, address, children }: ExportMenuProps) {
  const id = useId();
  const isTooLong = count !== undefined && count > most;
  if (isTooLong && children === undefined)
    return (
      <>
        <button type="button" className="button" disabled aria-describedby={id}>
          <Trans>Export</Trans>
        </button>
        <span className="hidden" id={id}>
          {visible(t`At most ${most} rows can be exported at once: narrow the filter.`)}
        </span>
      </>
    );
  return (
    <Popover label={t`Export`} summary={t`Export`} look="button" atEnd>
      {(isTooLong ? [] : (['csv', 'jsonl'] as const)).map((format) => (
        <a
          key={format}
          className="menu-item"
          href={address(format)}
          download
          onClick={({ currentTarget }) => {
            currentTarget.href = address(format);
            closePopover(currentTarget);
          }}
        >
          {formatNames[format]}
        </a>
      ))}
      {children}
    </Popover>
  );
}
