import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { Choice } from '../parts/choice.tsx';
import { closePopover, Popover } from '../parts/popover.tsx';
import { markInvisible } from '../mark-invisible.ts';
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
  /** Key of the list in the stored settings. */
  list: string;
  columns: readonly Pick<ListColumn<never>, 'id' | 'label' | 'hidden'>[];
}

/** Menu for the columns of a list and the height of its rows, which this browser stores. */
export function ColumnMenu({ list, columns }: ColumnMenuProps) {
  const settings = useListSettings(list);
  // Keeps chosen columns that do not exist yet, such as those of scores that have not loaded.
  const shown = new Set(settings.columns ?? shownColumns(columns, undefined).map(({ id }) => id));
  const toggle = (id: string) =>
    changeSettings(list, { columns: [...shown.symmetricDifference(new Set([id]))] });
  return (
    <Popover label={t`Columns and density`} summary={t`Columns`} buttonClass="button" atEnd>
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
  /** Number of rows that match the filter; undefined until it is known. */
  count: number | undefined;
  /** Maximum number of rows in one export. */
  most: number;
  /** Returns the URL of the file when it is clicked, because it may depend on the time. */
  address: (format: 'csv' | 'jsonl') => string;
  /** Further entries for the menu. */
  children?: ReactNode;
}

const formatNames = { csv: 'CSV', jsonl: t`JSON Lines` } as const;

/** Menu for downloading the rows that match the filter. */
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
          {markInvisible(t`At most ${most} rows can be exported at once: narrow the filter.`)}
        </span>
      </>
    );
  return (
    <Popover label={t`Export`} summary={t`Export`} buttonClass="button" atEnd>
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
