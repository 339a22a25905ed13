import type { Filters } from '../use-filters.ts';

/**
 * A time of the rows of a list. If there are several, the histogram shows the first one by default.
 */
export interface ListTime<Id extends string = string> {
  id: Id;
  name: string;
  /** The name in the middle of a sentence. */
  within: string;
}

export type ListTimes<Id extends string = string> = readonly [ListTime<Id>, ...ListTime<Id>[]];

/** The time that the histogram shows. */
export const shownTimeOf = <Id extends string>(
  { get }: Pick<Filters, 'get'>,
  times: ListTimes<Id>,
): Id => (times.find(({ id }) => id === get('chart')) ?? times[0]).id;

/** The time to which the time range applies; empty if the service applies its default. */
export function rangedTimeOf<Id extends string>(
  { get }: Pick<Filters, 'get'>,
  times: ListTimes<Id>,
): { time?: Id } {
  const time = times.find(({ id }) => id === get('time'));
  return time ? { time: time.id } : {};
}
