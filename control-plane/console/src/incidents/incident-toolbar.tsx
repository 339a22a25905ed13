import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { incidentSource, incidentStatus } from '#contract/incidents.ts';
import { actions, phases, severities } from '#contract/policy-actions.ts';
import type { Assignee } from '../data/incident-sources.ts';
import { inventoryRuleList } from '../data/inventory-sources.ts';
import { MAX_PAGE_SIZE } from '../data/load-pages.ts';
import { policyCategories, policyList } from '../data/policy-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { actionNames } from '../parts/action-badge.tsx';
import { Select } from '../parts/choice.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { TimeRangeField } from '../parts/time-range-field.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { categoryName } from '../policies/category-names.ts';
import { AgentField } from '../runs/agent-field.tsx';
import type { Filters } from '../use-filters.ts';
import { incidentSourceNames, incidentStatusNames, severityNames } from './incident-state.tsx';
import { phaseNames } from './incident-reason.ts';
import './incident-toolbar.css';

interface IncidentToolbarProps {
  filters: Filters;
  users: readonly Assignee[];
  /** Controls for the whole list. */
  controls: ReactNode;
}

export function IncidentToolbar({ filters, users, controls }: IncidentToolbarProps) {
  const field = fieldsOf(filters);
  return (
    <div className="incident-filters">
      <Toolbar>
        <SearchField
          label={t`Search incidents`}
          hint={t`Part of the reason, the note, or the name of a policy, agent, device or app`}
          value={filters.get('search')}
          onChange={(search) => filters.set({ search })}
        />
        <Select
          label={t`Status`}
          all={t`All statuses`}
          options={incidentStatus.options.map((id) => ({ id, name: incidentStatusNames[id] }))}
          {...field('status')}
        />
        <Select
          label={t`Severity`}
          all={t`All severities`}
          options={severities.map((id) => ({ id, name: severityNames[id] }))}
          {...field('severity')}
        />
        <PolicyFilter {...field('policy')} />
        <AgentField filters={filters} />
        <Select
          label={t`Assignee`}
          all={t`All assignees`}
          options={[
            { id: 'none', name: t`Unassigned` },
            ...users.map(({ id, email }) => ({ id, name: email })),
          ]}
          {...field('assignee')}
        />
        <Select
          label={t`Source`}
          all={t`All sources`}
          options={incidentSource.options.map((id) => ({ id, name: incidentSourceNames[id] }))}
          {...field('source')}
        />
        <CategoryFilter {...field('category')} />
        <ActionFilter {...field('action')} />
        <TimeRangeField filters={filters} />
        <span className="spacer" />
        {controls}
      </Toolbar>
    </div>
  );
}

export function EvaluationToolbar({ filters }: { filters: Filters }) {
  const field = fieldsOf(filters);
  return (
    <Toolbar>
      <Select
        label={t`Phase`}
        all={t`All phases`}
        options={phases.map((id) => ({ id, name: phaseNames[id] }))}
        {...field('phase')}
      />
      <CategoryFilter {...field('category')} />
      <ActionFilter {...field('action')} />
      <AgentField filters={filters} />
      <TimeRangeField filters={filters} />
    </Toolbar>
  );
}

const fieldsOf = (filters: Filters) => (name: string) => ({
  value: filters.get(name),
  onChange: (value: string) => filters.set({ [name]: value }),
});

type FieldProps = ReturnType<ReturnType<typeof fieldsOf>>;

function PolicyFilter(props: FieldProps) {
  const { data: policies } = useQuery(policyList({ limit: MAX_PAGE_SIZE }));
  const { data: rules } = useQuery(inventoryRuleList({ limit: MAX_PAGE_SIZE, offset: 0 }));
  const options = [...(policies?.results ?? []), ...(rules?.results ?? [])];
  return <Select label={t`Policy`} all={t`All policies`} options={options} {...props} />;
}

function CategoryFilter(props: FieldProps) {
  const { data: categories = [] } = useQuery(policyCategories());
  return (
    <Select
      label={t`Category`}
      all={t`All categories`}
      options={categories.map(({ name }) => ({ id: name, name: categoryName(name) }))}
      {...props}
    />
  );
}

const ActionFilter = (props: FieldProps) => (
  <Select
    label={t`Action`}
    all={t`All actions`}
    options={actions.map((id) => ({ id, name: actionNames[id] }))}
    {...props}
  />
);
