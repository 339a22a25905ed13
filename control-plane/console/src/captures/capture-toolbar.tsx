import type { ReactNode } from 'react';
import { catalog } from '../data/guard-sources.ts';
import { fleet } from '../data/device-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { FilterToolbar } from '../lists/filter-toolbar.tsx';
import { Select } from '../parts/choice.tsx';
import { NameField } from '../parts/name-field.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { TimeRangeField } from '../parts/time-range-field.tsx';
import type { Filters } from '../use-filters.ts';
import { captureFilterOf } from './capture-filter.ts';

interface CaptureToolbarProps {
  filters: Filters;
  /** What acts on the whole list. */
  controls: ReactNode;
}

export function CaptureToolbar({ filters, controls }: CaptureToolbarProps) {
  const { data: devices } = useQuery(fleet());
  const { data: hosts = [] } = useQuery(catalog());
  const field = (name: string) => ({
    value: filters.get(name),
    onChange: (value: string) => filters.set({ [name]: value }),
  });
  const { host, app, model, device } = captureFilterOf(filters);
  return (
    <FilterToolbar
      more={
        <>
          <Select
            label="Device"
            all="All devices"
            options={devices?.results.map(({ id, hostname }) => ({ id, name: hostname })) ?? []}
            {...field('device')}
          />
          <NameField label="Host" suggestions={hosts.map(({ host }) => host)} {...field('host')} />
          <NameField label="App" suggestions={[]} {...field('app')} />
          <NameField label="Model" suggestions={[]} {...field('model')} />
        </>
      }
      count={[host, app, model, device].filter((value) => value !== undefined).length}
      controls={controls}
    >
      <SearchField
        label="Search captures"
        hint="Searches paths and redacted bodies for this text"
        {...field('search')}
      />
      <Select
        label="Outcome"
        all="Any outcome"
        options={[
          { id: 'ok', name: 'Succeeded' },
          { id: 'failed', name: 'Failed' },
          { id: 'none', name: 'No response' },
        ]}
        {...field('outcome')}
      />
      <TimeRangeField filters={filters} />
    </FilterToolbar>
  );
}
