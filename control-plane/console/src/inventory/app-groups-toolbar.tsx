import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { appKinds } from '#contract/inventory.ts';
import type { AppGroupFilter } from '../data/inventory-sources.ts';
import { FilterToolbar } from '../lists/filter-toolbar.tsx';
import { rangedTimeOf } from '../lists/list-times.ts';
import { Select } from '../parts/choice.tsx';
import { NameField } from '../parts/name-field.tsx';
import { SearchField } from '../parts/search-field.tsx';
import type { Filters } from '../use-filters.ts';
import {
  appTimes,
  AppTime,
  fieldOf,
  KindSelect,
  NewSince,
  rangeCount,
  RiskSelect,
} from './inventory-fields.tsx';

const sorts = ['device_count', 'user_count', 'name', 'first_seen', 'last_seen'] as const;
export const FIRST_GROUP_SORT = '-device_count';

/** Filter from the URL. Drops values that the service would reject: URLs can be edited by hand. */
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
    ...rangedTimeOf({ get }, appTimes),
  };
}

interface AppGroupsToolbarProps {
  filters: Filters;
  /** Controls for the whole list. */
  controls: ReactNode;
}

export function AppGroupsToolbar({ filters, controls }: AppGroupsToolbarProps) {
  const field = fieldOf(filters);
  const { risk_flag, version_below } = appGroupFilterOf(filters);
  const count = [risk_flag, version_below, filters.get('gone') || undefined, rangeCount(filters)];
  return (
    <FilterToolbar
      more={
        <>
          <RiskSelect filters={filters} />
          <NameField label={t`Version below`} suggestions={[]} {...field('below')} />
          <Select
            label={t`Presence`}
            all={t`Installed`}
            options={[{ id: 'true', name: t`Removed from all devices` }]}
            {...field('gone')}
          />
          <AppTime filters={filters} />
        </>
      }
      count={count.filter((one) => one !== undefined).length}
      controls={controls}
    >
      <SearchField label={t`Search apps`} {...field('search')} />
      <KindSelect filters={filters} />
      <NewSince filters={filters} />
    </FilterToolbar>
  );
}
