import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { FormField } from '../parts/form-field.tsx';
import { errorWithin, type RuleFieldProps } from './field-errors.ts';
import { linesOf } from './rule-draft.ts';
import { labelOf } from './rule-words.ts';

const weekdays = [
  t`Monday`,
  t`Tuesday`,
  t`Wednesday`,
  t`Thursday`,
  t`Friday`,
  t`Saturday`,
  t`Sunday`,
] as const;

const textOf = ({ draft }: RuleFieldProps): string => (typeof draft === 'string' ? draft : '');

interface OptionsProps extends RuleFieldProps {
  options: readonly (readonly [id: string, name: string])[];
}

const OneOf = (props: OptionsProps) => (
  <FormField label={labelOf(props.name)} error={errorWithin(props.errors, props.path)}>
    {(control) => (
      <select
        className="field"
        value={textOf(props)}
        onChange={({ target }) => props.onChange(target.value)}
        {...control}
      >
        <option value="">{t`Choose…`}</option>
        {props.options.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    )}
  </FormField>
);

const hour = (at: number) => [String(at), `${String(at).padStart(2, '0')}:00`] as const;
const starts = Array.from({ length: 24 }, (_, at) => hour(at));
const ends = Array.from({ length: 24 }, (_, at) => hour(at + 1));
const days = weekdays.map((name, at) => [String(at), name] as const);

const Start = (props: RuleFieldProps) => <OneOf {...props} options={starts} />;
const End = (props: RuleFieldProps) => <OneOf {...props} options={ends} />;
const Day = (props: RuleFieldProps) => <OneOf {...props} options={days} />;

/** Checkboxes for weekdays, stored as a list of numbers. An empty list means all days. */
function Days(props: RuleFieldProps) {
  const chosen = linesOf(textOf(props));
  const toggle = (id: string) =>
    props.onChange(
      days
        .map(([day]) => day)
        .filter((day) => chosen.includes(day) !== (day === id))
        .join('\n'),
    );
  return (
    <fieldset className="form-field several">
      <legend>{labelOf(props.name)}</legend>
      <div>
        {days.map(([id, name]) => (
          <label key={id}>
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
            {name}
          </label>
        ))}
      </div>
      <p className="hint">{chosen.length === 0 && t`No days selected: applies every day`}</p>
      <p className="form-error" role="alert">
        {errorWithin(props.errors, props.path)}
      </p>
    </fieldset>
  );
}

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')];

const TimeZone = (props: RuleFieldProps) => (
  <FormField
    label={labelOf(props.name)}
    hint={t`For example Europe/Berlin`}
    error={errorWithin(props.errors, props.path)}
  >
    {(control) => (
      <>
        <input
          className="field"
          list={`${control.id}-zones`}
          autoComplete="off"
          value={textOf(props)}
          onChange={({ target }) => props.onChange(target.value)}
          {...control}
        />
        <datalist id={`${control.id}-zones`}>
          {zones.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </>
    )}
  </FormField>
);

/** Date inputs. Clearing one removes the date. */
function Dates(props: RuleFieldProps) {
  const dates = linesOf(textOf(props));
  const change = (at: number, date: string) =>
    props.onChange(
      [...dates.slice(0, at), date, ...dates.slice(at + 1)].filter((one) => one !== '').join('\n'),
    );
  return (
    <fieldset className="form-field">
      <legend>{labelOf(props.name)}</legend>
      {[...dates, ''].map((date, at) => (
        <input
          // The key keeps the empty input at the end in place when a date before it is removed.
          key={date === '' ? `add ${dates.length}` : date}
          type="date"
          className="field"
          aria-label={date === '' ? t`Add a date` : t`Date ${at + 1}`}
          value={date}
          onChange={({ target }) => change(at, target.value)}
        />
      ))}
      <p className="form-error" role="alert">
        {errorWithin(props.errors, props.path)}
      </p>
    </fieldset>
  );
}

const pickers: Readonly<Record<string, (props: RuleFieldProps) => ReactNode>> = {
  start: (props) => <Start {...props} />,
  end: (props) => <End {...props} />,
  day: (props) => <Day {...props} />,
  allowed_days: (props) => <Days {...props} />,
  timezone: (props) => <TimeZone {...props} />,
  blackout_dates: (props) => <Dates {...props} />,
};

/** The picker for a rule about time; undefined for all other rules. */
export const pickerOf = (props: RuleFieldProps): ReactNode => pickers[props.name]?.(props);
