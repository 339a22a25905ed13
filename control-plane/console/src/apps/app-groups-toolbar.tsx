import { appKinds } from '#contract/fleet.ts';
import type { AppGroupFilter } from '../data/app-sources.ts';
import { kindNames } from '../devices/app-names.ts';
import { knownRisks, riskWords } from '../devices/risk-words.ts';
import { formatMany } from '../format.ts';
import { Select, SortField } from '../parts/choice.tsx';
import { NameField } from '../parts/name-field.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { lengths, timeRangeOf } from '../time-range.ts';
import type { TimeRange } from '../time-range.ts';
import type { Filters } from '../use-filters.ts';

const sorts = {
  '-device_count': 'Most devices first',
  '-user_count': 'Most users first',
  name: 'By name',
  '-first_seen': 'First seen, newest first',
  '-last_seen': 'Last seen, newest first',
} as const;
const first = '-device_count';

const newSince = Object.entries(lengths).map(([id, { name }]) => ({
  id,
  name: name.replace('Last', 'First seen in the last'),
}));

/** The address may be edited by hand: what the service would refuse is left out. */
export function appGroupFilterOf({ get }: Pick<Filters, 'get'>): AppGroupFilter {
  const kind = appKinds.find((one) => one === get('kind'));
  const sort = (Object.keys(sorts) as (keyof typeof sorts)[]).find((one) => one === get('sort'));
  const [search, risk_flag, version_below] = [get('search'), get('risk'), get('below')];
  return {
    ...(kind && { kind }),
    ...(sort && { sort }),
    ...(search && { search }),
    ...(risk_flag && { risk_flag }),
    ...(/\d/.test(version_below) && { version_below }),
    present: get('gone') === 'true' ? 'false' : 'true',
  };
}

/** How long ago an app was new at the most, as the address has it. */
export const newSinceOf = ({ get }: Pick<Filters, 'get'>): TimeRange =>
  timeRangeOf({ get: (name) => (name === 'since' ? get('new_since') : '') });

interface AppGroupsToolbarProps {
  filters: Filters;
  count: number | undefined;
}

export function AppGroupsToolbar({ filters, count }: AppGroupsToolbarProps) {
  const field = (name: string) => ({
    value: filters.get(name),
    onChange: (value: string) => filters.set({ [name]: value }),
  });
  return (
    <div className="toolbar">
      <SearchField label="Search apps" {...field('search')} />
      <Select
        label="Kind"
        all="All kinds"
        options={appKinds.map((id) => ({ id, name: kindNames[id] }))}
        {...field('kind')}
      />
      <Select
        label="First seen"
        all="First seen at any time"
        options={newSince}
        {...field('new_since')}
      />
      <Select
        label="Risk"
        all="Any risk"
        options={knownRisks.map((id) => ({ id, name: `${riskWords(id).name} (${id})` }))}
        {...field('risk')}
      />
      <NameField label="Version below" suggestions={[]} {...field('below')} />
      <Select
        label="Presence"
        all="Installed"
        options={[{ id: 'true', name: 'Removed from all devices' }]}
        {...field('gone')}
      />
      <SortField names={sorts} first={first} filters={filters} />
      {count !== undefined && <span className="muted">{formatMany(count, 'app')}</span>}
    </div>
  );
}
