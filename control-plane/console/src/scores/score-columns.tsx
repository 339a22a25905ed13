import { t } from '@lingui/core/macro';
import { Link } from 'wouter';
import type { ListedScore } from '../data/score-sources.ts';
import { formatExact, NONE } from '../format.ts';
import type { ListColumn } from '../lists/columns.ts';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { sourceNames, typeNames, valueOf } from './score-words.ts';

/** The columns of the list of scores. */
export const scoreColumns: readonly ListColumn<ListedScore>[] = [
  {
    id: 'name',
    label: t`Score`,
    width: '20%',
    sort: 'name',
    cell: ({ name }) => <Clipped text={name} />,
  },
  {
    id: 'value',
    label: t`Value`,
    width: 110,
    sort: 'numeric_value',
    descends: true,
    cell: (score) => <Clipped text={valueOf(score)} />,
  },
  {
    id: 'agent',
    label: t`Agent`,
    width: '16%',
    sort: 'run_agent_name',
    cell: ({ run_agent_name }) => <Clipped text={run_agent_name} />,
  },
  {
    id: 'run',
    label: t`Run`,
    width: 90,
    cell: ({ run_id }) => (
      <Link to={`/runs/${run_id}`} className="row-link mono">
        {run_id}
      </Link>
    ),
  },
  {
    id: 'comment',
    label: t`Comment`,
    cell: ({ comment }) => <Clipped text={comment ?? NONE} />,
  },
  {
    id: 'source',
    label: t`Source`,
    width: 104,
    sort: 'source',
    cell: ({ source }) => sourceNames[source],
  },
  {
    id: 'recorded',
    label: t`Recorded`,
    width: 112,
    sort: 'created_at',
    descends: true,
    cell: ({ created_at }) => <Ago at={created_at} />,
  },
  {
    id: 'call',
    label: t`LLM call`,
    width: 100,
    hidden: true,
    cell: ({ llm_call_id }) =>
      llm_call_id === null ? (
        NONE
      ) : (
        <Link to={`/llm-calls/${llm_call_id}`} className="mono">
          {llm_call_id}
        </Link>
      ),
  },
  {
    id: 'model',
    label: t`Model`,
    hidden: true,
    cell: ({ llm_call_model }) => <Clipped mono text={llm_call_model ?? NONE} />,
  },
  { id: 'type', label: t`Type`, width: 110, hidden: true, cell: (one) => typeNames[one.data_type] },
  {
    id: 'evaluator',
    label: t`Evaluator`,
    hidden: true,
    cell: ({ evaluator_name }) => <Clipped text={evaluator_name ?? NONE} />,
  },
  {
    id: 'recorded-exactly',
    label: t`Recorded at`,
    hidden: true,
    cell: ({ created_at }) => <Clipped text={formatExact(Date.parse(created_at))} />,
  },
];
