import { setImmediate } from 'node:timers/promises';
import type { Action, Phase } from '#contract/policy-words.ts';
import { evaluate, refuses } from '../evaluate.ts';
import type { Policy } from '../policy-set.ts';
import { covers } from '../scope.ts';
import { createHeld } from './text-budget.ts';
import { createLater } from './event-queue.ts';
import { createMemory } from './in-memory-state.ts';
import type { RecordedRun } from './recorded-run.ts';
import { situationAt } from './situation-at.ts';
import { createTally, type Followed, type Tally } from './tally.ts';
import type { UsageModel } from './usage-model.ts';

/** A run that the policy concerns, on its way. */
interface ActiveRun {
  run: RecordedRun;
  followed: Followed;
  remembered: Readonly<Record<string, unknown>> | null;
}

/** Something that is still to happen. */
type ReplayEvent = () => void;

export interface Replayed {
  examined: number;
  /** When the last of them started. */
  lastStart: number | null;
  tally: Tally;
  /** Of how many runs there was no room for the texts. */
  leftOut: number;
}

/** Long enough to get on, short enough that nobody who records has to wait for it. */
const AT_A_STRETCH_MS = 10;

/**
 * Asks a policy what it would have answered to runs, which come in the order in which they started.
 * What it remembers stays in memory. A run that it stops has no later phase, uses nothing and holds
 * nothing.
 */
export async function replay(
  policy: Policy,
  runs: AsyncIterable<RecordedRun>,
  used: UsageModel,
): Promise<Replayed> {
  const tally = createTally();
  const later = createLater<ReplayEvent>();
  const states = createMemory();
  const held = createHeld();

  /** Answers what the policy says to a run at one moment of it. */
  function answerTo(going: ActiveRun, phase: Phase, at: number): Action {
    const situation = situationAt(going.run, phase, at);
    const { verdict } = evaluate({
      situation,
      policies: [policy],
      states,
      factsOf: () => used.factsOf(policy, situation),
      rememberedOf: () => going.remembered,
    });
    if (!verdict) return 'allow';
    going.remembered ??= verdict.evaluation.remember ?? null;
    going.followed.answer(situation, verdict.evaluation);
    return verdict.evaluation.action;
  }

  function start(run: RecordedRun): void {
    if (!covers(policy.scope, subjectOf(run))) return planUse(run);
    const going: ActiveRun = { run, followed: tally.follow(run), remembered: null };
    if (refuses(answerTo(going, 'before_workflow', run.started_at))) return;
    going.run = held.take(run);
    if (run.telemetry) planTelemetry(going, run.telemetry.lastAt);
    else planEnd(going, run.started_at);
  }

  /** What others use may count too. */
  function planUse(run: RecordedRun): void {
    const at = run.telemetry?.lastAt;
    if (at !== undefined) later.add(Math.max(at, run.started_at), () => used.add(run, at));
  }

  function planTelemetry(going: ActiveRun, lastAt: number): void {
    const { run } = going;
    // What came after the end was no longer asked about.
    const at = Math.max(run.started_at, Math.min(lastAt, run.completed_at ?? lastAt));
    later.add(at, () => {
      used.add(run, at);
      const action = answerTo(going, 'mid_execution', at);
      held.giveBack(run);
      if (refuses(action)) giveUp(run, at);
      else planEnd(going, at);
    });
  }

  function planEnd(going: ActiveRun, earliest: number): void {
    const { status, completed_at } = going.run;
    if (completed_at === null) return;
    const phase = status === 'error' ? 'on_failure' : 'after_workflow';
    const at = Math.max(earliest, completed_at);
    later.add(at, () => void answerTo(going, phase, at));
  }

  /** Whoever is stopped on the way fails: what the policy kept for the run is free again. */
  function giveUp(run: RecordedRun, at: number): void {
    answerTo({ run, followed: NOT_EVALUATED, remembered: null }, 'on_failure', at);
  }

  const rest = resting();
  async function goOn(until: number): Promise<void> {
    for (let due = later.takeDue(until); due; due = later.takeDue(until)) {
      due.item();
      if (rest.isDue()) await rest.take();
    }
  }
  const replayed: Replayed = { examined: 0, lastStart: null, tally, leftOut: 0 };
  for await (const run of runs) {
    await goOn(run.started_at);
    start(run);
    replayed.examined += 1;
    replayed.lastStart = run.started_at;
    if (rest.isDue()) await rest.take();
  }
  await goOn(Infinity);
  return { ...replayed, leftOut: held.leftOut() };
}

const NOT_EVALUATED: Followed = { answer: () => undefined };

const subjectOf = ({ agent_name, workflow_name, user_group }: RecordedRun) => ({
  agent: agent_name,
  workflow: workflow_name,
  userGroup: user_group,
});

function resting() {
  let since = performance.now();
  return {
    isDue: () => performance.now() - since >= AT_A_STRETCH_MS,
    async take(): Promise<void> {
      await setImmediate();
      since = performance.now();
    },
  };
}
