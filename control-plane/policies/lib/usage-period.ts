import { startOfPeriod as startBy, type UsagePeriod } from '#contract/usage-period.ts';
import { wallClock } from '../../lib/wall-clock.ts';

/** The first moment of the period that a time is in, in a time zone. */
export const startOfPeriod = (period: UsagePeriod, now: number, zone: string): number =>
  startBy(period, now, (at) => wallClock(at, zone));
