import { useId } from 'react';
import type { Filters } from '../use-filters.ts';
import { visible } from '../visible.ts';

interface Option<Id extends string> {
  id: Id;
  name: string;
}

interface ChoiceProps<Id extends string> {
  label: string;
  options: readonly Option<Id>[];
  value: Id;
  onChange: (id: Id) => void;
}

/** One of a few, all of them in sight. */
export function Choice<Id extends string>({ label, options, value, onChange }: ChoiceProps<Id>) {
  // Two forms on a page may ask the same: what belongs together is not told by the label.
  const group = useId();
  return (
    <fieldset className="choice">
      <legend className="hidden">{label}</legend>
      {options.map(({ id, name }) => (
        <label key={id}>
          <input type="radio" name={group} checked={id === value} onChange={() => onChange(id)} />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface SelectProps {
  label: string;
  /** Stands for no choice. */
  all: string;
  options: readonly Option<string>[];
  value: string;
  onChange: (id: string) => void;
}

/** One of many. A value that is not among the options (yet) stays visible. */
export function Select({ label, all, options, value, onChange }: SelectProps) {
  const known = value === '' || options.some(({ id }) => id === value);
  return (
    <select
      className="field"
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{all}</option>
      {!known && <option value={value}>{visible(value)}</option>}
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {visible(name)}
        </option>
      ))}
    </select>
  );
}

interface SortFieldProps {
  /** What each order is called. */
  names: Record<string, string>;
  /** The order that holds when none is chosen. */
  first: string;
  filters: Filters;
}

export function SortField({ names, first, filters }: SortFieldProps) {
  const options = Object.entries(names).map(([id, name]) => ({ id, name }));
  return (
    <Select
      label="Order"
      all={names[first] ?? first}
      options={options.filter(({ id }) => id !== first)}
      value={filters.get('sort')}
      onChange={(sort) => filters.set({ sort })}
    />
  );
}
