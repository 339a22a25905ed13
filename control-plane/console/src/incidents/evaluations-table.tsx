import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import type { Evaluation } from '../data/incident-sources.ts';
import { formatCount, NONE, formatExact } from '../format.ts';
import { ActionBadge } from '../parts/action-badge.tsx';
import { Clipped } from '../parts/badge.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Text, Json } from '../parts/text.tsx';
import { Facts } from '../parts/page.tsx';
import { phaseNames } from './incident-reason.ts';
import { categoryName } from '../policies/category-names.ts';

const columns: Column<Evaluation>[] = [
  { name: t`Reason`, width: '36%', cell: ({ reason }) => <Clipped text={reason} /> },
  { name: t`Policy`, cell: ({ policy_name }) => <Clipped text={policy_name ?? NONE} /> },
  { name: t`Phase`, width: 126, cell: ({ phase }) => phaseNames[phase] },
  { name: t`Action`, width: 84, cell: ({ action }) => <ActionBadge action={action} /> },
  {
    name: t`Count`,
    width: 78,
    align: 'end',
    cell: ({ evaluation_count }) => formatCount(evaluation_count),
  },
  { name: t`Last seen`, width: 108, cell: ({ updated_at }) => <Ago at={updated_at} /> },
];

interface EvaluationsTableProps {
  evaluations: readonly Evaluation[];
  stale: boolean;
}

export const EvaluationsTable = ({ evaluations, stale }: EvaluationsTableProps) => (
  <DataTable
    label={t`Evaluations`}
    columns={columns}
    rows={evaluations}
    rowKey={({ id }) => id}
    rowName={({ policy_name, phase, created_at }) =>
      `${policy_name}, ${phaseNames[phase]}, ${formatExact(Date.parse(created_at))}`
    }
    detail={detailOf}
    stale={stale}
  />
);

const detailOf = (evaluation: Evaluation) => <EvaluationDetail evaluation={evaluation} />;

export function EvaluationDetail({ evaluation }: { evaluation: Evaluation }) {
  const { run_id } = evaluation;
  const facts = [
    [t`Category`, evaluation.category === null ? NONE : categoryName(evaluation.category)],
    [t`Agent`, evaluation.agent_name],
    [t`Workflow`, evaluation.workflow_name],
    [
      t`Run`,
      run_id === null ? (
        t`none: evaluated before the run`
      ) : (
        <Link key="run" to={`/runs/${run_id}`}>
          <Trans>Run {run_id}</Trans>
        </Link>
      ),
    ],
    [t`First seen`, <Ago key="first" at={evaluation.created_at} />],
  ] as const;
  return (
    <div className="detail-body">
      <p className="whole">
        <Text>{evaluation.reason}</Text>
      </p>
      <Facts facts={facts} />
      {Object.keys(evaluation.metadata).length > 0 && (
        <Json value={evaluation.metadata} label={t`Details`} />
      )}
    </div>
  );
}
