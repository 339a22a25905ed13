import { t } from '@lingui/core/macro';
import type { LlmCall } from '../data/llm-call-sources.ts';
import { formatCountInShort, formatDuration, NONE } from '../format.ts';
import type { ListColumn } from '../lists/columns.ts';
import { previewText } from '../messages/preview-text.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { Cost } from './cost.tsx';

const Preview = ({ text }: { text: string }) => (
  <span className="muted">
    <Clipped text={previewText(text) || NONE} />
  </span>
);

const durationText = (ms: number | null): string => (ms === null ? NONE : formatDuration(ms));

/** The columns of the list of LLM calls. */
export const callColumns: readonly ListColumn<LlmCall>[] = [
  {
    id: 'model',
    label: t`Model`,
    width: '19%',
    sort: 'model',
    cell: ({ model }) => <Clipped mono text={model} />,
  },
  {
    id: 'agent',
    label: t`Agent`,
    width: '13%',
    cell: ({ agent_name }) => <Clipped text={agent_name} />,
  },
  {
    id: 'prompt',
    label: t`Prompt`,
    cell: ({ prompt_preview }) => <Preview text={prompt_preview} />,
  },
  {
    id: 'response',
    label: t`Response`,
    hidden: true,
    cell: ({ response_preview }) => <Preview text={response_preview} />,
  },
  {
    id: 'called',
    label: t`Called`,
    width: 106,
    sort: 'created_at',
    descends: true,
    cell: ({ created_at }) => <Ago at={created_at} />,
  },
  {
    id: 'duration',
    label: t`Duration`,
    width: 104,
    numeric: true,
    sort: 'duration_ms',
    descends: true,
    cell: ({ duration_ms }) => durationText(duration_ms),
  },
  {
    id: 'first-token',
    label: t`First token`,
    width: 100,
    numeric: true,
    hidden: true,
    cell: (call) => durationText(call.time_to_first_token_ms),
  },
  {
    id: 'tokens',
    label: t`Tokens`,
    width: 100,
    numeric: true,
    sort: 'total_tokens',
    descends: true,
    cell: (call) => formatCountInShort(call.total_tokens),
  },
  {
    id: 'cost',
    label: t`Cost`,
    width: 106,
    numeric: true,
    sort: 'cost',
    descends: true,
    cell: (call) => <Cost call={call} />,
  },
  {
    id: 'provider',
    label: t`Provider`,
    hidden: true,
    cell: ({ provider }) => <Clipped text={provider ?? NONE} />,
  },
  { id: 'task', label: t`Task`, hidden: true, cell: ({ task }) => <Clipped text={task ?? NONE} /> },
  {
    id: 'finish',
    label: t`Finish reason`,
    hidden: true,
    cell: ({ finish_reason }) => <Clipped text={finish_reason ?? NONE} />,
  },
  {
    id: 'workflow',
    label: t`Workflow`,
    hidden: true,
    cell: ({ workflow_name }) => <Clipped text={workflow_name} />,
  },
  { id: 'run', label: t`Run`, width: 90, hidden: true, cell: ({ run_id }) => String(run_id) },
];
