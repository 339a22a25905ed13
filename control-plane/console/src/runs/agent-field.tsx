import { t } from '@lingui/core/macro';
import { MAX_PAGE_SIZE } from '../data/load-pages.ts';
import { runList } from '../data/run-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { NameField } from '../parts/name-field.tsx';
import type { Filters } from '../use-filters.ts';

/** Field that suggests the agents of the latest runs. */
export function AgentField({ filters }: { filters: Filters }) {
  const { data } = useQuery(runList({ limit: MAX_PAGE_SIZE }));
  return (
    <NameField
      label={t`Agent`}
      suggestions={data?.results.map(({ agent_name }) => agent_name) ?? []}
      value={filters.get('agent')}
      onChange={(agent) => filters.set({ agent })}
    />
  );
}
