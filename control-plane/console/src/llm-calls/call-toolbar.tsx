import { llmCallModels } from '../data/llm-call-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { BoundsField } from '../parts/bounds-field.tsx';
import { SortField } from '../parts/choice.tsx';
import { MultiChoice } from '../parts/multi-choice.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { TimeRangeField } from '../parts/time-range-field.tsx';
import { AgentField } from '../runs/agent-field.tsx';
import type { Filters } from '../use-filters.ts';
import { sortNames } from './call-filter.ts';

export function CallToolbar({ filters }: { filters: Filters }) {
  return (
    <div className="toolbar">
      <SearchField
        label="Search LLM calls"
        hint={
          'Searches models, tasks, prompts and responses for words, "phrases" and prefixes*; all of them must match'
        }
        value={filters.get('search')}
        onChange={(search) => filters.set({ search })}
      />
      <ModelChoice filters={filters} />
      <AgentField filters={filters} />
      <TimeRangeField filters={filters} />
      <span className="spacer" />
      <SortField names={sortNames} first="-created_at" filters={filters} />
      <span className="line-break" />
      <Bounds filters={filters} of="cost" label="Cost, $" step="any" />
      <Bounds filters={filters} of="tokens" label="Tokens" step={1} />
    </div>
  );
}

function ModelChoice({ filters }: { filters: Filters }) {
  const { data = [] } = useQuery(llmCallModels());
  return (
    <MultiChoice
      label="Model"
      all="All models"
      many={(count) => `${count} models`}
      options={data}
      chosen={filters.all('model')}
      onChange={(model) => filters.set({ model })}
    />
  );
}

interface BoundsProps {
  filters: Filters;
  of: 'cost' | 'tokens';
  label: string;
  step: 'any' | 1;
}

const Bounds = ({ filters, of, label, step }: BoundsProps) => (
  <BoundsField
    label={label}
    step={step}
    min={filters.get(`min_${of}`)}
    max={filters.get(`max_${of}`)}
    onChange={(bound, text) => filters.set({ [`${bound}_${of}`]: text })}
  />
);
