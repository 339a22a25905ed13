import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { llmCallModels } from '../data/llm-call-sources.ts';
import { promptDetail } from '../data/prompt-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { CloseIcon } from '../icons.tsx';
import { BoundsField } from '../parts/bounds-field.tsx';
import { MultiChoice } from '../parts/multi-choice.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { Text } from '../parts/text.tsx';
import { TimeRangeField } from '../parts/time-range-field.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { AgentField } from '../runs/agent-field.tsx';
import type { Filters } from '../use-filters.ts';
import { markInvisible } from '../mark-invisible.ts';
import './call-toolbar.css';

interface CallToolbarProps {
  filters: Filters;
  /** Controls for the whole list. */
  controls: ReactNode;
}

export function CallToolbar({ filters, controls }: CallToolbarProps) {
  return (
    <Toolbar>
      <SearchField
        label={t`Search LLM calls`}
        hint={t`Searches models, tasks, prompts and responses for words, "phrases" and prefixes*; all of them must match`}
        value={filters.get('search')}
        onChange={(search) => filters.set({ search })}
      />
      <ModelChoice filters={filters} />
      <AgentField filters={filters} />
      <TimeRangeField filters={filters} />
      <PromptFilter filters={filters} />
      {controls}
      <span className="line-break" />
      <Bounds filters={filters} of="cost" label={t`Cost, $`} step="any" />
      <Bounds filters={filters} of="tokens" label={t`Tokens`} step={1} />
      <Bounds filters={filters} of="duration" label={t`Duration, s`} step="any" />
    </Toolbar>
  );
}

/** Shows the prompt filter, which links from a prompt set, and allows removing it. */
function PromptFilter({ filters }: { filters: Filters }) {
  const id = filters.get('prompt');
  if (id === '') return null;
  return <OnePrompt key={id} id={id} filters={filters} />;
}

function OnePrompt({ id, filters }: { id: string; filters: Filters }) {
  const { data, error } = useQuery(promptDetail(id));
  const version = filters.get('version');
  const name = data?.name ?? (error === undefined ? '…' : id);
  const text = version === '' ? name : `${name} v${version}`;
  return (
    <button
      type="button"
      className="button prompt-filter"
      aria-label={t`Remove the filter: prompt ${markInvisible(text)}`}
      title={markInvisible(text)}
      onClick={() => filters.set({ prompt: '', version: '' })}
    >
      <span className="clipped">
        <Text>{text}</Text>
      </span>
      <CloseIcon />
    </button>
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

interface BoundsProps {
  filters: Filters;
  of: 'cost' | 'tokens' | 'duration';
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
