import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { zoneName } from '../display.ts';
import { fromLocal, lengths, timeRangeOf, toLocal } from '../time-range.ts';
import type { Filters } from '../use-filters.ts';
import { Select } from './choice.tsx';

const BETWEEN = 'between';
const options = [
  ...Object.entries(lengths).map(([id, { name }]) => ({ id, name })),
  { id: BETWEEN, name: t`Between…` },
];

interface TimeRangeFieldProps {
  filters: Filters;
  /** The default period; without it, any time. */
  first?: keyof typeof lengths;
}

/** Field for a period up to now, or for a start and an end. */
export function TimeRangeField({ filters, first }: TimeRangeFieldProps) {
  const { since, start, end } = timeRangeOf(filters);
  const [opened, setOpened] = useState(false);
  const exact = since === undefined && (opened || start !== undefined || end !== undefined);
  const choose = (id: string) => {
    setOpened(id === BETWEEN);
    filters.set({ since: id === BETWEEN ? '' : id, start: '', end: '' });
  };
  return (
    <>
      <Select
        label={t`Time`}
        all={first ? lengths[first].name : t`Any time`}
        options={options.filter(({ id }) => id !== first)}
        value={exact ? BETWEEN : (since ?? '')}
        onChange={choose}
      />
      {exact && (
        <span className="bounds">
          <Moment label={t`From`} value={start} onChange={(start) => filters.set({ start })} />
          <span aria-hidden="true">–</span>
          <Moment label={t`Until`} value={end} onChange={(end) => filters.set({ end })} />
        </span>
      )}
    </>
  );
}

interface MomentProps {
  label: string;
  value: string | undefined;
  onChange: (moment: string) => void;
}

const Moment = ({ label, value, onChange }: MomentProps) => (
  <input
    type="datetime-local"
    className="field"
    aria-label={`${label} (${zoneName()})`}
    title={t`Time zone: ${zoneName()}`}
    value={value === undefined ? '' : toLocal(value)}
    onChange={(event) => onChange(fromLocal(event.target.value))}
  />
);
