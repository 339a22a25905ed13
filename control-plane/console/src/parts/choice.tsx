import { t } from '@lingui/core/macro';
import { useId } from 'react';
import type { Filters } from '../use-filters.ts';
import { markInvisible } from '../mark-invisible.ts';
import './choice.css';

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

/** Radio group for a few options. */
export function Choice<Id extends string>({ label, options, value, onChange }: ChoiceProps<Id>) {
  // The name must be unique: a page may contain two groups with the same label.
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
  /** Label of the option for no value. */
  all: string;
  options: readonly Option<string>[];
  value: string;
  onChange: (id: string) => void;
}

/** Selection field. A value that is not among the options (yet) stays visible. */
export function Select({ label, all, options, value, onChange }: SelectProps) {
  const isOption = value === '' || options.some(({ id }) => id === value);
  return (
    <select
      className="field"
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{all}</option>
      {!isOption && <option value={value}>{markInvisible(value)}</option>}
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {markInvisible(name)}
        </option>
      ))}
    </select>
  );
}

interface SortFieldProps {
  /** Label of each order. */
  names: Record<string, string>;
  /** The default order. */
  first: string;
  filters: Filters;
}

export function SortField({ names, first, filters }: SortFieldProps) {
  const options = Object.entries(names).map(([id, name]) => ({ id, name }));
  return (
    <Select
      label={t`Order`}
      all={names[first] ?? first}
      options={options.filter(({ id }) => id !== first)}
      value={filters.get('sort')}
      onChange={(sort) => filters.set({ sort })}
    />
  );
}
