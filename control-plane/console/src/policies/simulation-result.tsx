import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { actions } from '#contract/policy-actions.ts';
import type { Simulation } from '../data/policy-sources.ts';
import { formatCount, formatExact } from '../format.ts';
import { phaseNames } from '../incidents/incident-reason.ts';
import { ActionBadge } from '../parts/action-badge.tsx';
import { Clipped } from '../parts/badge.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { KeyFigures } from '../parts/key-figures.tsx';
import { AffectedChart } from './affected-chart.tsx';
import './simulation-result.css';

interface SimulationResultProps {
  simulation: Simulation;
  /** Whether the draft has changed since the simulation. */
  outdated: boolean;
}

type ByAgent = Simulation['by_agent'][number];
type Example = Simulation['examples'][number];

export function SimulationResult({ simulation, outdated }: SimulationResultProps) {
  const { by_agent, examples, notes } = simulation;
  return (
    <div className={outdated ? 'detail-body outdated' : 'detail-body'}>
      <p>
        {summaryOf(simulation)}
        {outdated && (
          <>
            {' '}
            <Trans>The draft has changed since.</Trans>
          </>
        )}
      </p>
      <KeyFigures numbers={numbersOf(simulation)} />
      <AffectedChart points={simulation.over_time} />
      <StrictestActions simulation={simulation} />
      {by_agent.length > 0 && (
        <DataTable
          label={t`By agent`}
          columns={agentColumns}
          rows={by_agent}
          rowKey={({ agent_name }) => agent_name}
        />
      )}
      {examples.length > 0 && (
        <DataTable
          label={t`Examples`}
          columns={exampleColumns}
          rows={examples}
          rowKey={({ run_id, phase, at }) => `${run_id} ${phase} ${at}`}
        />
      )}
      {notes.map((note) => (
        <p key={note} className="muted">
          {note}
        </p>
      ))}
    </div>
  );
}

function summaryOf({ runs_examined, runs, days, not_allowed, truncated }: Simulation): string {
  const count = plural(runs_examined, { one: '# run', other: '# runs' });
  const time = plural(days, { one: '# day', other: '# days' });
  const examined = truncated
    ? t`${count} of the last ${time} examined (there are more)`
    : t`${count} of the last ${time} examined`;
  if (runs === 0) return t`${examined}: the policy applies to none of them.`;
  const all = formatCount(runs);
  if (not_allowed === 0)
    return t`${examined}: the policy would have allowed all of the ${all} that it applies to.`;
  const affected = formatCount(not_allowed);
  return t`${examined}: the policy would have affected ${affected} of the ${all} that it applies to.`;
}

const numbersOf = ({ runs, not_allowed, would_stop, would_interrupt }: Simulation) =>
  [
    [t`Matching runs`, formatCount(runs)],
    [t`Affected`, formatCount(not_allowed)],
    [t`Would block`, formatCount(would_stop)],
    [t`Would interrupt`, formatCount(would_interrupt)],
  ] as const;

/** The number of runs by the strictest action that the policy would have taken. */
function StrictestActions({ simulation: { by_action } }: { simulation: Simulation }) {
  const actionsTaken = actions.filter((action) => (by_action[action] ?? 0) > 0);
  if (actionsTaken.length === 0) return null;
  return (
    <ul className="badges" aria-label={t`Strictest action by run`}>
      {actionsTaken.map((action) => (
        <li key={action}>
          <ActionBadge action={action} /> {formatCount(by_action[action] ?? 0)}
        </li>
      ))}
    </ul>
  );
}

const number = { width: 76, align: 'end' } as const;

const agentColumns: Column<ByAgent>[] = [
  { name: t`Agent`, cell: ({ agent_name }) => <Clipped text={agent_name} /> },
  { name: t`Runs`, ...number, cell: ({ runs }) => formatCount(runs) },
  { name: t`Affected`, ...number, cell: ({ not_allowed }) => formatCount(not_allowed) },
  { name: t`Blocked`, ...number, cell: ({ would_stop }) => formatCount(would_stop) },
  {
    name: t`Interrupted`,
    width: 96,
    align: 'end',
    cell: ({ would_interrupt }) => formatCount(would_interrupt),
  },
];

const exampleColumns: Column<Example>[] = [
  {
    name: t`Run`,
    width: 72,
    cell: ({ run_id, at, phase }) => (
      <Link title={`${phaseNames[phase]}, ${formatExact(Date.parse(at))}`} to={`/runs/${run_id}`}>
        {run_id}
      </Link>
    ),
  },
  { name: t`Agent`, width: '26%', cell: ({ agent_name }) => <Clipped text={agent_name} /> },
  { name: t`Action`, width: 76, cell: ({ action }) => <ActionBadge action={action} /> },
  { name: t`Reason`, cell: ({ reason }) => <Clipped text={reason} /> },
];
