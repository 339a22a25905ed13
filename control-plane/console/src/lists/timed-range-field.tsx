import { t } from '@lingui/core/macro';
import { Select } from '../parts/choice.tsx';
import { TimeRangeField } from '../parts/time-range-field.tsx';
import { timeRangeOf } from '../time-range.ts';
import type { Filters } from '../use-filters.ts';
import type { ListTimes } from './list-times.ts';

interface TimedRangeFieldProps {
  filters: Filters;
  times: ListTimes;
  /** Name of the service's default, if it is not one of the times. */
  otherwise?: string;
}

/** Field for a time range and the time of the rows to which it applies. */
export function TimedRangeField({ filters, times, otherwise }: TimedRangeFieldProps) {
  const isRanged = Object.keys(timeRangeOf(filters)).length > 0;
  const [first, ...others] = times;
  return (
    <>
      {isRanged && (
        <Select
          label={t`Time field`}
          all={otherwise ?? first.name}
          options={otherwise === undefined ? others : times}
          value={valueOf(filters.get('time'), first.id, otherwise)}
          onChange={(time) => filters.set({ time })}
        />
      )}
      <TimeRangeField filters={filters} />
    </>
  );
}

/**
 * The value of an option. Unless there is another default, the first time is the default and is not
 * in the URL.
 */
const valueOf = (time: string, first: string, otherwise: string | undefined): string =>
  otherwise === undefined && time === first ? '' : time;
