import { t } from '@lingui/core/macro';
import { appKinds } from '#contract/inventory.ts';
import { kindNames } from '../devices/app-names.ts';
import { knownRisks, riskWords } from '../devices/risk-words.ts';
import type { AppRanges } from '../data/inventory-sources.ts';
import { TimedRangeField } from '../lists/timed-range-field.tsx';
import { Select } from '../parts/choice.tsx';
import { timeRangeOf } from '../time-range.ts';
import type { lengths } from '../time-range.ts';
import type { Filters } from '../use-filters.ts';

/** Returns the value and the change handler for the field of a filter. */
export const fieldOf = (filters: Filters) => (name: string) => ({
  value: filters.get(name),
  onChange: (value: string) => filters.set({ [name]: value }),
});

export const KindSelect = ({ filters }: { filters: Filters }) => (
  <Select
    label={t`Kind`}
    all={t`All kinds`}
    options={appKinds.map((id) => ({ id, name: kindNames[id] }))}
    {...fieldOf(filters)('kind')}
  />
);

const sinceNames: Record<keyof typeof lengths, string> = {
  '1h': t`First seen in the last hour`,
  '1d': t`First seen in the last 24 hours`,
  '7d': t`First seen in the last 7 days`,
  '30d': t`First seen in the last 30 days`,
};
const newSince = Object.entries(sinceNames).map(([id, name]) => ({ id, name }));

export const NewSince = ({ filters }: { filters: Filters }) => (
  <Select
    label={t`First seen`}
    all={t`First seen at any time`}
    options={newSince}
    {...fieldOf(filters)('new_since')}
  />
);

/** The times of an app that the list can filter by. */
export const appTimes = [
  { id: 'first_seen', name: t`First seen`, within: t`first seen` },
  { id: 'last_seen', name: t`Last seen`, within: t`last seen` },
] as const;

/**
 * The time ranges of the filter: the maximum age of new apps, and a range for any time of an app.
 */
export const appRangesOf = (filters: Pick<Filters, 'get'>): AppRanges => ({
  newSince: timeRangeOf({ get: (name) => (name === 'since' ? filters.get('new_since') : '') }),
  range: timeRangeOf(filters),
});

/**
 * The name of a time range that is set; undefined if none is. The toolbar collapses these fields.
 */
export const rangeCount = (filters: Pick<Filters, 'get'>): string | undefined =>
  Object.keys(timeRangeOf(filters))[0];

export const AppTime = ({ filters }: { filters: Filters }) => (
  <TimedRangeField filters={filters} times={appTimes} />
);

export const RiskSelect = ({ filters }: { filters: Filters }) => (
  <Select
    label={t`Risk`}
    all={t`Any risk`}
    options={knownRisks.map((id) => ({ id, name: `${riskWords(id).name} (${id})` }))}
    {...fieldOf(filters)('risk')}
  />
);
