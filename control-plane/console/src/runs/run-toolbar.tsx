import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { actions } from '#contract/policy-actions.ts';
import { runStatus } from '#contract/run-list.ts';
import { llmCallModels } from '../data/llm-call-sources.ts';
import { scoreNames } from '../data/score-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { FilterToolbar } from '../lists/filter-toolbar.tsx';
import { actionNames } from '../parts/action-badge.tsx';
import { BoundsField } from '../parts/bounds-field.tsx';
import { Select } from '../parts/choice.tsx';
import { MultiChoice } from '../parts/multi-choice.tsx';
import { NameField } from '../parts/name-field.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { TimeRangeField } from '../parts/time-range-field.tsx';
import type { Filters } from '../use-filters.ts';
import { AgentField } from './agent-field.tsx';
import { collapsedFilterCount, runFilterOf } from './run-filter.ts';
import { statusNames } from './run-state.tsx';

interface RunToolbarProps {
  filters: Filters;
  /** Controls for the whole list. */
  controls: ReactNode;
}

export const RunToolbar = ({ filters, controls }: RunToolbarProps) => (
  <FilterToolbar
    more={<MoreFilters filters={filters} />}
    count={collapsedFilterCount(runFilterOf(filters))}
    controls={controls}
  >
    <SearchField
      label={t`Search runs`}
      hint={t`Searches the prompts and responses of runs for words, "phrases" and prefixes*; all of them must match`}
      value={filters.get('search')}
      onChange={(search) => filters.set({ search })}
    />
    <AgentField filters={filters} />
    <Select
      label={t`Status`}
      all={t`All statuses`}
      options={runStatus.options.map((id) => ({ id, name: statusNames[id] }))}
      value={filters.get('status')}
      onChange={(status) => filters.set({ status })}
    />
    <TimeRangeField filters={filters} />
  </FilterToolbar>
);

const errorOptions = [
  { id: 'true', name: t`With errors` },
  { id: 'false', name: t`Without errors` },
];

const MoreFilters = ({ filters }: { filters: Filters }) => (
  <>
    <ModelChoice filters={filters} />
    <Name filters={filters} label={t`End user`} name="user" />
    <Name filters={filters} label={t`Session`} name="session" />
    <Name filters={filters} label={t`Team`} name="team" />
    <Name filters={filters} label={t`API key (id)`} name="api_key" />
    <Name filters={filters} label={t`Tag`} name="tag" />
    <Name filters={filters} label={t`Workflow`} name="workflow" />
    <Name filters={filters} label={t`Environment`} name="environment" />
    <Name filters={filters} label={t`Version`} name="version" />
    <Select
      label={t`Errors`}
      all={t`Any outcome`}
      options={errorOptions}
      value={filters.get('has_error')}
      onChange={(has_error) => filters.set({ has_error })}
    />
    <Select
      label={t`Policy verdict`}
      all={t`Any verdict`}
      options={actions.map((id) => ({ id, name: actionNames[id] }))}
      value={filters.get('verdict')}
      onChange={(verdict) => filters.set({ verdict })}
    />
    <ScoreField filters={filters} />
    {filters.get('score') && (
      <>
        <Name filters={filters} label={t`Score value`} name="score_value" />
        <Bounds filters={filters} of="score" label={t`Score`} step="any" isSigned />
      </>
    )}
    <Bounds filters={filters} of="cost" label={t`Cost, $`} step="any" />
    <Bounds filters={filters} of="duration" label={t`Duration, s`} step="any" />
    <Bounds filters={filters} of="tokens" label={t`Tokens`} step={1} />
  </>
);

/** Field for the name of a score of the run. */
function ScoreField({ filters }: { filters: Filters }) {
  const { data = [] } = useQuery(scoreNames());
  return (
    <NameField
      label={t`Score`}
      suggestions={data}
      value={filters.get('score')}
      onChange={(score) => filters.set({ score })}
    />
  );
}

function ModelChoice({ filters }: { filters: Filters }) {
  const { data = [] } = useQuery(llmCallModels());
  return (
    <MultiChoice
      label={t`Model`}
      all={t`All models`}
      many={(count) => t`${count} models`}
      options={data}
      chosen={filters.all('model')}
      onChange={(model) => filters.set({ model })}
    />
  );
}

const Name = ({ filters, label, name }: { filters: Filters; label: string; name: string }) => (
  <NameField
    label={label}
    suggestions={[]}
    value={filters.get(name)}
    onChange={(value) => filters.set({ [name]: value })}
  />
);

interface BoundsProps {
  filters: Filters;
  of: 'cost' | 'duration' | 'tokens' | 'score';
  label: string;
  step: 'any' | 1;
  isSigned?: boolean;
}

const Bounds = ({ filters, of, ...field }: BoundsProps) => (
  <BoundsField
    {...field}
    min={filters.get(`min_${of}`)}
    max={filters.get(`max_${of}`)}
    onChange={(bound, text) => filters.set({ [`${bound}_${of}`]: text })}
  />
);
