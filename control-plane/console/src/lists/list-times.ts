import type { Filters } from '../use-filters.ts';

/** A time of the rows of a list; of several, the first one is shown over time. */
export interface ListTime<Id extends string = string> {
  id: Id;
  name: string;
  /** The same within a sentence. */
  within: string;
}

export type ListTimes<Id extends string = string> = readonly [ListTime<Id>, ...ListTime<Id>[]];

/** The time that the histogram shows. */
export const shownTimeOf = <Id extends string>(
  { get }: Pick<Filters, 'get'>,
  times: ListTimes<Id>,
): Id => (times.find(({ id }) => id === get('chart')) ?? times[0]).id;

/** The time that a range of time is about; empty for what the service takes by default. */
export function rangedTimeOf<Id extends string>(
  { get }: Pick<Filters, 'get'>,
  times: ListTimes<Id>,
): { time?: Id } {
  const time = times.find(({ id }) => id === get('time'));
  return time ? { time: time.id } : {};
}
