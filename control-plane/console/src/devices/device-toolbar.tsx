import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { deviceStates } from '#contract/devices.ts';
import { fleet } from '../data/device-sources.ts';
import { appGroupList } from '../data/inventory-sources.ts';
import { MAX_PAGE_SIZE } from '../data/load-pages.ts';
import { useQuery } from '../data/use-query.ts';
import { FilterToolbar } from '../lists/filter-toolbar.tsx';
import { TimedRangeField } from '../lists/timed-range-field.tsx';
import { Select } from '../parts/choice.tsx';
import { NameField } from '../parts/name-field.tsx';
import { SearchField } from '../parts/search-field.tsx';
import type { Filters } from '../use-filters.ts';
import { deviceFilterOf, deviceTimes, collapsedFilterCount } from './device-filter.ts';
import { knownRisks, riskWords } from './risk-words.ts';

const stateNames = {
  online: t`Online`,
  offline: t`Offline`,
  waiting: t`Awaiting approval`,
  pending: t`Pending`,
  revoked: t`Revoked`,
} as const satisfies Record<(typeof deviceStates)[number], string>;

interface DeviceToolbarProps {
  filters: Filters;
  /** Controls for the whole list. */
  controls: ReactNode;
}

const field = (filters: Filters, name: string) => ({
  value: filters.get(name),
  onChange: (value: string) => filters.set({ [name]: value }),
});

export const DeviceToolbar = ({ filters, controls }: DeviceToolbarProps) => (
  <FilterToolbar
    more={<MoreFilters filters={filters} />}
    count={collapsedFilterCount(deviceFilterOf(filters))}
    controls={controls}
  >
    <SearchField
      label={t`Search devices`}
      hint={t`Searches hostnames, users and ids`}
      {...field(filters, 'search')}
    />
    <Select
      label={t`State`}
      all={t`Any state`}
      options={deviceStates.map((id) => ({ id, name: stateNames[id] }))}
      {...field(filters, 'state')}
    />
    <Select
      label={t`Problems`}
      all={t`Any problems`}
      options={[{ id: 'true', name: t`With problems` }]}
      {...field(filters, 'problems')}
    />
    <TimedRangeField filters={filters} times={deviceTimes} />
  </FilterToolbar>
);

function MoreFilters({ filters }: { filters: Filters }) {
  const { data } = useQuery(fleet());
  const valuesOf = (name: 'os' | 'user_group' | 'agent_version') => [
    ...new Set(data?.results.flatMap((device) => device[name] ?? [])),
  ];
  return (
    <>
      <AppSelect filters={filters} />
      <Select
        label={t`OS`}
        all={t`Any system`}
        options={valuesOf('os').map((id) => ({ id, name: id === 'darwin' ? 'macOS' : id }))}
        {...field(filters, 'os')}
      />
      <NameField
        label={t`User group`}
        suggestions={valuesOf('user_group')}
        {...field(filters, 'user_group')}
      />
      <NameField
        label={t`Agent version`}
        suggestions={valuesOf('agent_version')}
        {...field(filters, 'agent_version')}
      />
      <Select
        label={t`Configuration`}
        all={t`Any configuration`}
        options={[
          { id: 'applied', name: t`Current version applied` },
          { id: 'pending', name: t`Current version pending` },
        ]}
        {...field(filters, 'config')}
      />
      <Select
        label={t`Risk`}
        all={t`Any risk`}
        options={knownRisks.map((id) => ({ id, name: riskWords(id).name }))}
        {...field(filters, 'risk')}
      />
      <NameField label={t`Problem contains`} suggestions={[]} {...field(filters, 'problem')} />
    </>
  );
}

/** Field for the apps on most devices. Links from other apps set the same filter. */
function AppSelect({ filters }: { filters: Filters }) {
  const { data } = useQuery(appGroupList({ limit: MAX_PAGE_SIZE, present: 'true' }));
  return (
    <Select
      label={t`App`}
      all={t`Any app`}
      options={data?.results.map(({ id, name }) => ({ id, name })) ?? []}
      {...field(filters, 'app')}
    />
  );
}
