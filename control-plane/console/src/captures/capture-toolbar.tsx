import { t } from '@lingui/core/macro';
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
  /** Controls for the whole list. */
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
            label={t`Device`}
            all={t`All devices`}
            options={devices?.results.map(({ id, hostname }) => ({ id, name: hostname })) ?? []}
            {...field('device')}
          />
          <NameField
            label={t`Host`}
            suggestions={hosts.map(({ host }) => host)}
            {...field('host')}
          />
          <NameField label={t`App`} suggestions={[]} {...field('app')} />
          <NameField label={t`Model`} suggestions={[]} {...field('model')} />
        </>
      }
      count={[host, app, model, device].filter((value) => value !== undefined).length}
      controls={controls}
    >
      <SearchField
        label={t`Search captures`}
        hint={t`Searches paths and redacted bodies for this text`}
        {...field('search')}
      />
      <Select
        label={t`Outcome`}
        all={t`Any outcome`}
        options={[
          { id: 'ok', name: t`Succeeded` },
          { id: 'failed', name: t`Failed` },
          { id: 'none', name: t`No response` },
        ]}
        {...field('outcome')}
      />
      <TimeRangeField filters={filters} />
    </FilterToolbar>
  );
}
