import { incidentSource, incidentStatus } from '#contract/governance.ts';
import { actions, phases } from '#contract/policy-words.ts';
import { policyCategories } from '../data/policy-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Select } from '../parts/choice.tsx';
import { TimeRangeField } from '../parts/time-range-field.tsx';
import { AgentField } from '../runs/agent-field.tsx';
import type { Filters } from '../use-filters.ts';
import { incidentSourceNames, incidentStatusNames } from './incident-state.tsx';
import { phaseNames } from './phase-names.ts';

interface GovernanceToolbarProps {
  filters: Filters;
  of: 'incidents' | 'evaluations';
}

export function GovernanceToolbar({ filters, of }: GovernanceToolbarProps) {
  const { data: categories = [] } = useQuery(policyCategories());
  const field = (name: string) => ({
    value: filters.get(name),
    onChange: (value: string) => filters.set({ [name]: value }),
  });
  return (
    <div className="toolbar">
      {of === 'incidents' ? (
        <>
          <Select
            label="Status"
            all="All statuses"
            options={incidentStatus.options.map((id) => ({ id, name: incidentStatusNames[id] }))}
            {...field('status')}
          />
          <Select
            label="Source"
            all="All sources"
            options={incidentSource.options.map((id) => ({ id, name: incidentSourceNames[id] }))}
            {...field('source')}
          />
        </>
      ) : (
        <Select
          label="Phase"
          all="All phases"
          options={phases.map((id) => ({ id, name: phaseNames[id] }))}
          {...field('phase')}
        />
      )}
      <Select
        label="Category"
        all="All categories"
        options={categories.map(({ name }) => ({ id: name, name }))}
        {...field('category')}
      />
      <Select
        label="Action"
        all="All actions"
        options={actions.map((id) => ({ id, name: id }))}
        {...field('action')}
      />
      <AgentField filters={filters} />
      <TimeRangeField filters={filters} />
    </div>
  );
}
