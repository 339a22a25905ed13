import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Choice } from '../parts/choice.tsx';
import { FormField } from '../parts/form-field.tsx';
import { dayNames } from './names.ts';
import { nights } from './rule-draft.ts';
import type { QuietHours, QuietPeriod } from './rule-draft.ts';

interface QuietHoursFieldProps {
  value: QuietHours | null;
  onChange: (value: QuietHours | null) => void;
}

const MAX_PERIODS = 7;
const during = [
  { id: 'hold', name: t`Send afterwards` },
  { id: 'drop', name: t`Do not send` },
] as const;

/** Fields for the times of the week when no notifications are sent. */
export function QuietHoursField({ value, onChange }: QuietHoursFieldProps) {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <fieldset className="quiet-hours">
      <legend>
        <label className="check">
          <input
            type="checkbox"
            checked={value !== null}
            onChange={({ target }) => onChange(target.checked ? nights(zone) : null)}
          />
          <span>
            <Trans>Quiet hours</Trans>
          </span>
        </label>
      </legend>
      {value && <Periods value={value} onChange={onChange} />}
    </fieldset>
  );
}

function Periods({
  value,
  onChange,
}: {
  value: QuietHours;
  onChange: (value: QuietHours) => void;
}) {
  const { periods } = value;
  const setPeriods = (periods: QuietPeriod[]) => onChange({ ...value, periods });
  return (
    <>
      {periods.map((period, at) => (
        <Period
          // oxlint-disable-next-line react/no-array-index-key -- periods have no identity but their place
          key={at}
          number={at + 1}
          period={period}
          onChange={(changed) => setPeriods(periods.with(at, changed))}
          {...(periods.length > 1 && {
            onRemove: () => setPeriods(periods.filter((_, other) => other !== at)),
          })}
        />
      ))}
      {periods.length < MAX_PERIODS && (
        <button
          type="button"
          className="link"
          onClick={() => setPeriods([...periods, { days: [6, 7], from: '00:00', to: '00:00' }])}
        >
          <Trans>Add another time</Trans>
        </button>
      )}
      <div className="form-grid">
        <FormField label={t`Time zone`}>
          {(control) => (
            <select
              className="field"
              value={value.time_zone}
              onChange={({ target }) => onChange({ ...value, time_zone: target.value })}
              {...control}
            >
              {[...new Set([value.time_zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].map(
                (zone) => (
                  <option key={zone} value={zone}>
                    {zone}
                  </option>
                ),
              )}
            </select>
          )}
        </FormField>
        <div className="form-field">
          <span>
            <Trans>Messages during this time</Trans>
          </span>
          <Choice
            label={t`Messages during quiet hours`}
            options={during}
            value={value.during}
            onChange={(during) => onChange({ ...value, during })}
          />
        </div>
      </div>
    </>
  );
}

interface PeriodProps {
  number: number;
  period: QuietPeriod;
  onChange: (period: QuietPeriod) => void;
  onRemove?: () => void;
}

function Period({ number, period, onChange, onRemove }: PeriodProps) {
  const { days, from, to } = period;
  const toggle = (day: number) =>
    onChange({
      ...period,
      days: days.includes(day) ? days.filter((one) => one !== day) : [...days, day],
    });
  return (
    <div className="quiet-period" role="group" aria-label={t`Quiet time ${number}`}>
      <span className="weekdays">
        {dayNames.map((name, at) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={days.includes(at + 1)}
              onChange={() => toggle(at + 1)}
            />
            <span>{name}</span>
          </label>
        ))}
      </span>
      <span className="quiet-times">
        <input
          className="field"
          type="time"
          required
          aria-label={t`From`}
          value={from}
          onChange={({ target }) => onChange({ ...period, from: target.value })}
        />
        <span aria-hidden="true">–</span>
        <input
          className="field"
          type="time"
          required
          aria-label={to <= from ? t`To, on the next day` : t`To`}
          value={to}
          onChange={({ target }) => onChange({ ...period, to: target.value })}
        />
        <span className="muted">{to <= from ? t`next day` : ''}</span>
        {onRemove && (
          <button type="button" className="link" onClick={onRemove}>
            <Trans>Remove</Trans>
          </button>
        )}
      </span>
    </div>
  );
}
