import { useState } from 'react';
import { fromLocal, lengths, timeRangeOf, toLocal } from '../time-range.ts';
import type { Filters } from '../use-filters.ts';
import { Select } from './choice.tsx';

const between = 'between';
const options = [
  ...Object.entries(lengths).map(([id, { name }]) => ({ id, name })),
  { id: between, name: 'Between…' },
];

/** A period up to now, or a start and an end. */
export function TimeRangeField({ filters }: { filters: Filters }) {
  const { since, start, end } = timeRangeOf(filters);
  const [opened, setOpened] = useState(false);
  const exact = since === undefined && (opened || start !== undefined || end !== undefined);
  const choose = (id: string) => {
    setOpened(id === between);
    filters.set({ since: id === between ? '' : id, start: '', end: '' });
  };
  return (
    <>
      <Select
        label="Time"
        all="Any time"
        options={options}
        value={exact ? between : (since ?? '')}
        onChange={choose}
      />
      {exact && (
        <span className="bounds">
          <Moment label="From" value={start} onChange={(start) => filters.set({ start })} />
          <span aria-hidden="true">–</span>
          <Moment label="Until" value={end} onChange={(end) => filters.set({ end })} />
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
    aria-label={label}
    value={value === undefined ? '' : toLocal(value)}
    onChange={(event) => onChange(fromLocal(event.target.value))}
  />
);
