import { appKinds } from '#contract/inventory.ts';
import { kindNames } from '../devices/app-names.ts';
import { knownRisks, riskWords } from '../devices/risk-words.ts';
import type { AppRanges } from '../data/inventory-sources.ts';
import { TimedRangeField } from '../lists/timed-range-field.tsx';
import { Select } from '../parts/choice.tsx';
import { lengths, timeRangeOf } from '../time-range.ts';
import type { Filters } from '../use-filters.ts';

/** What a field of a filter shows and changes. */
export const fieldOf = (filters: Filters) => (name: string) => ({
  value: filters.get(name),
  onChange: (value: string) => filters.set({ [name]: value }),
});

export const KindSelect = ({ filters }: { filters: Filters }) => (
  <Select
    label="Kind"
    all="All kinds"
    options={appKinds.map((id) => ({ id, name: kindNames[id] }))}
    {...fieldOf(filters)('kind')}
  />
);

const newSince = Object.entries(lengths).map(([id, { name }]) => ({
  id,
  name: name.replace('Last', 'First seen in the last'),
}));

export const NewSince = ({ filters }: { filters: Filters }) => (
  <Select
    label="First seen"
    all="First seen at any time"
    options={newSince}
    {...fieldOf(filters)('new_since')}
  />
);

/** The times of an app. */
export const appTimes = [
  { id: 'first_seen', name: 'First seen' },
  { id: 'last_seen', name: 'Last seen' },
] as const;

/** How long ago an app was new at the most, and any range of its times. */
export const appRangesOf = (filters: Pick<Filters, 'get'>): AppRanges => ({
  newSince: timeRangeOf({ get: (name) => (name === 'since' ? filters.get('new_since') : '') }),
  range: timeRangeOf(filters),
});

/** Whether a range of time, which the toolbar folds, is set. */
export const rangeCount = (filters: Pick<Filters, 'get'>): string | undefined =>
  Object.keys(timeRangeOf(filters))[0];

export const AppTime = ({ filters }: { filters: Filters }) => (
  <TimedRangeField filters={filters} times={appTimes} />
);

export const RiskSelect = ({ filters }: { filters: Filters }) => (
  <Select
    label="Risk"
    all="Any risk"
    options={knownRisks.map((id) => ({ id, name: `${riskWords(id).name} (${id})` }))}
    {...fieldOf(filters)('risk')}
  />
);
