import { Link } from 'wouter';
import { actions } from '#contract/policy-actions.ts';
import type { Simulation } from '../data/policy-sources.ts';
import { formatCount, formatExact, formatMany } from '../format.ts';
import { phaseNames } from '../incidents/incident-reason.ts';
import { ActionBadge } from '../parts/action-badge.tsx';
import { Clipped } from '../parts/badge.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Numbers } from '../parts/numbers.tsx';
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
        {outdated && ' The draft has changed since.'}
      </p>
      <Numbers numbers={numbersOf(simulation)} />
      <AffectedChart points={simulation.over_time} />
      <StrictestActions simulation={simulation} />
      {by_agent.length > 0 && (
        <DataTable
          label="By agent"
          columns={agentColumns}
          rows={by_agent}
          rowKey={({ agent_name }) => agent_name}
        />
      )}
      {examples.length > 0 && (
        <DataTable
          label="Examples"
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
  const examined = `${formatMany(runs_examined, 'run')} of the last ${formatMany(days, 'day')} examined`;
  const outcome =
    runs === 0
      ? 'the policy applies to none of them'
      : not_allowed === 0
        ? `the policy would have allowed all of the ${formatCount(runs)} that it applies to`
        : `the policy would have affected ${formatCount(not_allowed)} of the ${formatCount(runs)} that it applies to`;
  return `${examined}${truncated ? ' (there are more)' : ''}: ${outcome}.`;
}

const numbersOf = ({ runs, not_allowed, would_stop, would_interrupt }: Simulation) =>
  [
    ['Matching runs', formatCount(runs)],
    ['Affected', formatCount(not_allowed)],
    ['Would block', formatCount(would_stop)],
    ['Would interrupt', formatCount(would_interrupt)],
  ] as const;

/** Number of runs by the strictest action that the policy would have taken. */
function StrictestActions({ simulation: { by_action } }: { simulation: Simulation }) {
  const actionsTaken = actions.filter((action) => (by_action[action] ?? 0) > 0);
  if (actionsTaken.length === 0) return null;
  return (
    <ul className="badges" aria-label="Strictest action by run">
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
  { name: 'Agent', cell: ({ agent_name }) => <Clipped text={agent_name} /> },
  { name: 'Runs', ...number, cell: ({ runs }) => formatCount(runs) },
  { name: 'Affected', ...number, cell: ({ not_allowed }) => formatCount(not_allowed) },
  { name: 'Blocked', ...number, cell: ({ would_stop }) => formatCount(would_stop) },
  {
    name: 'Interrupted',
    width: 96,
    align: 'end',
    cell: ({ would_interrupt }) => formatCount(would_interrupt),
  },
];

const exampleColumns: Column<Example>[] = [
  {
    name: 'Run',
    width: 72,
    cell: ({ run_id, at, phase }) => (
      <Link title={`${phaseNames[phase]}, ${formatExact(Date.parse(at))}`} to={`/runs/${run_id}`}>
        {run_id}
      </Link>
    ),
  },
  { name: 'Agent', width: '26%', cell: ({ agent_name }) => <Clipped text={agent_name} /> },
  { name: 'Action', width: 76, cell: ({ action }) => <ActionBadge action={action} /> },
  { name: 'Reason', cell: ({ reason }) => <Clipped text={reason} /> },
];
