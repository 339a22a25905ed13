import { type States, evaluate, refuses } from '../evaluate.ts';
import { setImmediate } from 'node:timers/promises';
import type { Action, Phase } from '#contract/policy-actions.ts';
import type { Policy } from '../policy-set.ts';
import { scopeCovers } from '../scope.ts';
import { createTextBudget } from './text-budget.ts';
import { createEventQueue } from './event-queue.ts';
import type { RecordedRun } from './recorded-run.ts';
import { situationAt } from './situation-at.ts';
import { createTally, type RunCounter, type Tally } from './tally.ts';
import type { UsageModel } from './usage-model.ts';

/** An active run within the policy's scope. */
interface ActiveRun {
  run: RecordedRun;
  counter: RunCounter;
  remembered: Readonly<Record<string, unknown>> | null;
}

/** A scheduled event. */
type ReplayEvent = () => void;

export interface ReplayResult {
  examined: number;
  /** The start of the last examined run. */
  lastStart: number | null;
  tally: Tally;
  /** The number of runs whose texts exceeded the budget. */
  leftOut: number;
}

/**
 * The maximum blocking time: long enough to make progress, short enough not to delay recording
 * requests.
 */
const MAX_BLOCKING_MS = 10;

/**
 * Evaluates a policy against recorded runs, which must be ordered by start. State is kept in
 * memory. A run that the policy stops has no later phase, no usage, and no slot.
 */
export async function replay(
  policy: Policy,
  runs: AsyncIterable<RecordedRun>,
  usage: UsageModel,
): Promise<ReplayResult> {
  const tally = createTally();
  const queue = createEventQueue<ReplayEvent>();
  const states = createInMemoryStates();
  const textBudget = createTextBudget();

  /** Evaluates one phase of a run and returns the action. */
  function evaluatePhase(active: ActiveRun, phase: Phase, at: number): Action {
    const situation = situationAt(active.run, phase, at);
    const { verdict } = evaluate({
      situation,
      policies: [policy],
      states,
      factsOf: () => usage.factsOf(policy, situation),
      rememberedOf: () => active.remembered,
    });
    if (!verdict) return 'allow';
    active.remembered ??= verdict.evaluation.remember ?? null;
    active.counter.answer(situation, verdict.evaluation);
    return verdict.evaluation.action;
  }

  function start(run: RecordedRun): void {
    if (!scopeCovers(policy.scope, subjectOf(run))) return planUse(run);
    const active: ActiveRun = { run, counter: tally.countRun(run), remembered: null };
    if (refuses(evaluatePhase(active, 'before_workflow', run.started_at))) return;
    active.run = textBudget.admit(run);
    if (run.telemetry) planTelemetry(active, run.telemetry.lastAt);
    else planEnd(active, run.started_at);
  }

  /** Schedules the usage of a run outside the scope, which may also count. */
  function planUse(run: RecordedRun): void {
    const at = run.telemetry?.lastAt;
    if (at !== undefined) queue.add(Math.max(at, run.started_at), () => usage.add(run, at));
  }

  function planTelemetry(active: ActiveRun, lastAt: number): void {
    const { run } = active;
    // Telemetry after the end of the run was not evaluated.
    const at = Math.max(run.started_at, Math.min(lastAt, run.completed_at ?? lastAt));
    queue.add(at, () => {
      usage.add(run, at);
      const action = evaluatePhase(active, 'mid_execution', at);
      textBudget.release(run);
      if (refuses(action)) failRun(run, at);
      else planEnd(active, at);
    });
  }

  function planEnd(active: ActiveRun, earliest: number): void {
    const { status, completed_at } = active.run;
    if (completed_at === null) return;
    const phase = status === 'error' ? 'on_failure' : 'after_workflow';
    const at = Math.max(earliest, completed_at);
    queue.add(at, () => void evaluatePhase(active, phase, at));
  }

  /** Ends a run that the policy interrupts as failed, which releases what it occupied. */
  function failRun(run: RecordedRun, at: number): void {
    evaluatePhase({ run, counter: NOT_EVALUATED, remembered: null }, 'on_failure', at);
  }

  const yielder = createYielder();
  async function runUntil(until: number): Promise<void> {
    for (let due = queue.takeDue(until); due; due = queue.takeDue(until)) {
      due.item();
      if (yielder.isDue()) await yielder.yield();
    }
  }
  const replayed: ReplayResult = { examined: 0, lastStart: null, tally, leftOut: 0 };
  for await (const run of runs) {
    await runUntil(run.started_at);
    start(run);
    replayed.examined += 1;
    replayed.lastStart = run.started_at;
    if (yielder.isDue()) await yielder.yield();
  }
  await runUntil(Infinity);
  return { ...replayed, leftOut: textBudget.leftOut() };
}

const NOT_EVALUATED: RunCounter = { answer: () => undefined };

const subjectOf = ({ agent_name, workflow_name, user_group }: RecordedRun) => ({
  agent: agent_name,
  workflow: workflow_name,
  userGroup: user_group,
});

function createYielder() {
  let since = performance.now();
  return {
    isDue: () => performance.now() - since >= MAX_BLOCKING_MS,
    async yield(): Promise<void> {
      await setImmediate();
      since = performance.now();
    },
  };
}

/** Creates policy states that last for one simulation. */
export function createInMemoryStates(): States {
  const states = new Map<string, unknown>();
  return {
    get({ category }, situation) {
      const subject = category.stateOf?.(situation);
      return typeof subject === 'string' ? states.get(subject) : undefined;
    },
    set({ category }, situation, state) {
      const subject = category.stateOf?.(situation);
      if (typeof subject === 'string') states.set(subject, state);
    },
  };
}
