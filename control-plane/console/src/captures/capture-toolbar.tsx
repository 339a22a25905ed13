import { catalog, fleet } from '../data/sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Select } from '../parts/choice.tsx';
import { NameField } from '../parts/name-field.tsx';
import { TimeRangeField } from '../parts/time-range-field.tsx';
import type { Filters } from '../use-filters.ts';

export function CaptureToolbar({ filters }: { filters: Filters }) {
  const { data: devices } = useQuery(fleet());
  const { data: hosts = [] } = useQuery(catalog());
  return (
    <div className="toolbar">
      <Select
        label="Device"
        all="All devices"
        options={devices?.results.map(({ id, hostname }) => ({ id, name: hostname })) ?? []}
        value={filters.get('device')}
        onChange={(device) => filters.set({ device })}
      />
      <NameField
        label="Host"
        suggestions={hosts.map(({ host }) => host)}
        value={filters.get('host')}
        onChange={(host) => filters.set({ host })}
      />
      <NameField
        label="App"
        suggestions={[]}
        value={filters.get('app')}
        onChange={(app) => filters.set({ app })}
      />
      <TimeRangeField filters={filters} />
    </div>
  );
}
