import { t } from '@lingui/core/macro';
import { Select } from '../parts/choice.tsx';
import { TimeRangeField } from '../parts/time-range-field.tsx';
import { timeRangeOf } from '../time-range.ts';
import type { Filters } from '../use-filters.ts';
import type { ListTimes } from './list-times.ts';

interface TimedRangeFieldProps {
  filters: Filters;
  times: ListTimes;
  /** If a range is not about one of the times by default: what it is about. */
  otherwise?: string;
}

/** A range of time, and of which time of the rows it is. */
export function TimedRangeField({ filters, times, otherwise }: TimedRangeFieldProps) {
  const isRanged = Object.keys(timeRangeOf(filters)).length > 0;
  const [first, ...others] = times;
  return (
    <>
      {isRanged && (
        <Select
          label={t`Kind of time`}
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

/** Without another default, the first time is what is shown without a choice. */
const valueOf = (time: string, first: string, otherwise: string | undefined): string =>
  otherwise === undefined && time === first ? '' : time;
