import { appKinds } from '#contract/inventory.ts';
import { kindNames } from '../devices/app-names.ts';
import { knownRisks, riskWords } from '../devices/risk-words.ts';
import { Select } from '../parts/choice.tsx';
import { lengths } from '../time-range.ts';
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

export const RiskSelect = ({ filters }: { filters: Filters }) => (
  <Select
    label="Risk"
    all="Any risk"
    options={knownRisks.map((id) => ({ id, name: `${riskWords(id).name} (${id})` }))}
    {...fieldOf(filters)('risk')}
  />
);
