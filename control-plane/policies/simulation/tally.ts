import type { PolicySimulation } from '#contract/policy-simulation.ts';
import { type Action, actions } from '#contract/policy-actions.ts';
import { DAY_MS } from '#lib/time-units.ts';
import { dayOf } from '../../lib/calendar.ts';
import { refuses } from '../evaluate.ts';
import type { Evaluation, Situation } from '../category.ts';
import type { RecordedRun } from './recorded-run.ts';

const MAX_EXAMPLES = 20;
const MAX_AGENTS = 20;

type Counts = Pick<PolicySimulation, 'runs' | 'not_allowed' | 'would_stop' | 'would_interrupt'>;
type Example = PolicySimulation['examples'][number];

/** The results of a simulation so far. */
export interface Tally {
  /** Counts a run, and returns the counter of its outcomes. */
  countRun(run: RecordedRun): RunCounter;
  result(): Counts & Pick<PolicySimulation, 'by_action' | 'by_agent' | 'examples' | 'over_time'>;
}

export interface RunCounter {
  /** Counts an outcome. */
  answer(situation: Situation, evaluation: Evaluation): void;
}

const NOTHING: Counts = { runs: 0, not_allowed: 0, would_stop: 0, would_interrupt: 0 };

export function createTally(): Tally {
  const all = { ...NOTHING };
  const byAgent = new Map<string, Counts>();
  const byDay = new Map<number, Counts>();
  const byAction = Object.fromEntries(actions.map((action) => [action, 0]));
  const examples: Example[] = [];
  const move = (action: Action, by: 1 | -1): void => {
    byAction[action] = (byAction[action] ?? 0) + by;
  };

  return {
    countRun(run) {
      const agent = byAgent.get(run.agent_name) ?? { ...NOTHING };
      byAgent.set(run.agent_name, agent);
      const start = dayOf(run.started_at) * DAY_MS;
      const day = byDay.get(start) ?? { ...NOTHING };
      byDay.set(start, day);
      const count = (what: keyof Counts): void => {
        all[what] += 1;
        day[what] += 1;
        agent[what] += 1;
      };
      count('runs');
      move('allow', 1);
      let strictest: Action = 'allow';
      return {
        answer({ phase, now }, { action, reason }) {
          if (action === 'allow') return;
          if (strictest === 'allow') count('not_allowed');
          if (refuses(action))
            if (phase === 'before_workflow') count('would_stop');
            else if (phase === 'mid_execution') count('would_interrupt');
          if (actions.indexOf(action) < actions.indexOf(strictest)) {
            move(strictest, -1);
            move(action, 1);
            strictest = action;
          }
          if (examples.length < MAX_EXAMPLES)
            examples.push({ ...subjectOf(run), at: now, phase, action, reason });
        },
      };
    },
    result: () => ({
      ...all,
      by_action: { ...byAction },
      by_agent: mostAnswered(byAgent),
      over_time: [...byDay]
        .sort(([a], [b]) => a - b)
        .map(([start, { runs, not_allowed }]) => ({ start, runs, not_allowed })),
      examples,
    }),
  };
}

const subjectOf = ({ id, agent_name, workflow_name }: RecordedRun) => ({
  run_id: id,
  agent_name,
  workflow_name,
});

const mostAnswered = (byAgent: ReadonlyMap<string, Counts>) =>
  [...byAgent]
    .map(([agent_name, counts]) => ({ agent_name, ...counts }))
    .sort(
      (a, b) =>
        b.not_allowed - a.not_allowed || b.runs - a.runs || (a.agent_name < b.agent_name ? -1 : 1),
    )
    .slice(0, MAX_AGENTS);
