import type { ReactNode } from 'react';
import { appKinds } from '#contract/inventory.ts';
import type { AppGroupFilter } from '../data/inventory-sources.ts';
import { FilterToolbar } from '../lists/filter-toolbar.tsx';
import { Select } from '../parts/choice.tsx';
import { NameField } from '../parts/name-field.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { timeRangeOf } from '../time-range.ts';
import type { TimeRange } from '../time-range.ts';
import type { Filters } from '../use-filters.ts';
import { fieldOf, KindSelect, NewSince, RiskSelect } from './inventory-fields.tsx';

const sorts = ['device_count', 'user_count', 'name', 'first_seen', 'last_seen'] as const;
export const FIRST_GROUP_SORT = '-device_count';

/** The address may be edited by hand: what the service would refuse is left out. */
export function appGroupFilterOf({ get }: Pick<Filters, 'get'>): AppGroupFilter {
  const kind = appKinds.find((one) => one === get('kind'));
  const sort = sorts
    .flatMap((name) => [name, `-${name}`] as const)
    .find((one) => one === get('sort'));
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
  /** What acts on the whole list. */
  controls: ReactNode;
}

export function AppGroupsToolbar({ filters, controls }: AppGroupsToolbarProps) {
  const field = fieldOf(filters);
  const { risk_flag, version_below } = appGroupFilterOf(filters);
  const count = [risk_flag, version_below, filters.get('gone') || undefined];
  return (
    <FilterToolbar
      more={
        <>
          <RiskSelect filters={filters} />
          <NameField label="Version below" suggestions={[]} {...field('below')} />
          <Select
            label="Presence"
            all="Installed"
            options={[{ id: 'true', name: 'Removed from all devices' }]}
            {...field('gone')}
          />
        </>
      }
      count={count.filter((one) => one !== undefined).length}
      controls={controls}
    >
      <SearchField label="Search apps" {...field('search')} />
      <KindSelect filters={filters} />
      <NewSince filters={filters} />
    </FilterToolbar>
  );
}
