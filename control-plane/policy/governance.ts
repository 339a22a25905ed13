import type { Masker } from '../masking/masker.ts';
import { groupCommit } from '../storage/group-commit.ts';
import type { Storage } from '../storage/open.ts';
import type { RunRef } from '../usage/count.ts';
import type { Telemetry } from '../recording/queries.ts';
import type { EvaluationResult } from './evaluate.ts';
import type { StartEvaluation } from './engine/evaluation-request.ts';
import { evaluateAtStart } from './evaluate-at-start.ts';
import type { Situation } from './category.ts';
import { type Evaluate, evaluateAll } from './engine/answer.ts';
import { createPolicySetStore } from './engine/policy-sets.ts';
import { findEvaluationsOfRun, storeStart } from './engine/engine-queries.ts';
import { createPolicyCache } from './policy-cache.ts';
import { ofHeldCalls } from './policy-set.ts';
import { observedCalls, observedTools } from './telemetry-input.ts';
import { situationOf } from './situation.ts';
import { strictestRecorded, type Verdict, verdictOf } from './verdict.ts';

/** Policies as the rest of the control plane asks them, at each phase of a run. */
export interface Governance {
  /** May it start? What it is admitted to is taken. */
  check(tenantId: string, situation: Situation): Promise<Verdict>;
  /** May a call be made that a device holds? Null when no policy minds that can tell. */
  checkHeld(tenantId: string, situation: Situation): Promise<Verdict | null>;
  /** What policies tell a run that starts, for it to be stored with the run. */
  evaluateStart(tenantId: string, situation: Situation): Promise<StartEvaluation>;
  /** Telemetry was stored. Null when no policy minds. */
  onTelemetry(run: RunRef, telemetry: Telemetry): Promise<Verdict | null>;
  /** The run ended, which frees what it had taken. Null when no policy minds. */
  onRunEnd(run: RunRef): Promise<Verdict | null>;
  /** A trace brought something of a run. */
  onTrace(what: TracedRun): Promise<void>;
  /** What was answered when it ended, for whoever asks again. */
  findFinalVerdict(tenantId: string, runId: number): Promise<Verdict | null>;
}

/** What a trace brought, and whether the run began or ended with it. */
export interface TracedRun extends Telemetry {
  run: RunRef;
  began: boolean;
  ended: boolean;
}

interface GovernanceOptions {
  storage: Storage;
  /** Masks what is put on record. */
  maskerOf: (tenantId: string) => Promise<Masker>;
  now: () => number;
  newId: (prefix: string) => string;
  onProblem: (line: string) => void;
}

export function createGovernance({
  storage,
  maskerOf,
  now,
  newId,
  onProblem,
}: GovernanceOptions): Governance {
  const policiesOf = createPolicyCache(storage, onProblem);
  const askedPolicies = createPolicySetStore();
  const answer = groupCommit<Evaluate, EvaluationResult>({
    sizeOf: () => 10,
    write: (asks) => evaluateAll({ storage, newId, askedPolicies }, asks),
    isUnavailable: (error) => storage.isUnavailable(error),
  });

  /** Asks about a run, when any policy might have something to say. */
  async function aboutRun(
    run: RunRef,
    phase: Situation['phase'],
    seen?: () => Partial<Situation>,
  ): Promise<Verdict | null> {
    const policies = await policiesOf(run.tenant_id);
    const subject = { agent: run.agent_name, workflow: run.workflow_name };
    if (!policies.appliesTo(subject, phase)) return null;
    const situation = situationOf({ ...subject, phase, now: now(), ...seen?.() });
    const { outcomes, verdict } = await answer({
      tenantId: run.tenant_id,
      masker: await maskerOf(run.tenant_id),
      policies,
      situation,
      runId: run.id,
    });
    return verdict && verdictOf({ outcomes, verdict });
  }

  /** A run that is there already starts for policies too. */
  async function adopt(run: RunRef): Promise<void> {
    const { tenant_id: tenantId, agent_name: agent, workflow_name: workflow } = run;
    const at = { phase: 'before_workflow', now: run.started_at } as const;
    const situation = situationOf({ ...at, agent, workflow, userId: run.user_id });
    const told = evaluateAtStart(await policiesOf(tenantId), { tenantId, situation, newId });
    if (told.evaluations.length > 0)
      await storage.db.transaction().execute((trx) => storeStart(storage, trx, run, told));
  }

  const governance: Governance = {
    async check(tenantId, situation) {
      const policies = await policiesOf(tenantId);
      const masker = await maskerOf(tenantId);
      return verdictOf(await answer({ tenantId, masker, policies, situation, runId: null }));
    },
    async checkHeld(tenantId, situation) {
      const policies = ofHeldCalls(await policiesOf(tenantId));
      if (policies.matching(situation).length === 0) return null;
      const masker = await maskerOf(tenantId);
      return verdictOf(await answer({ tenantId, masker, policies, situation, runId: null }));
    },
    async evaluateStart(tenantId, situation) {
      return evaluateAtStart(await policiesOf(tenantId), { tenantId, situation, newId });
    },
    onTelemetry(run, telemetry) {
      // What comes after the end changes nothing that could still be stopped.
      if (run.status !== 'running') return Promise.resolve(null);
      return aboutRun(run, 'mid_execution', () => ({
        calls: observedCalls(telemetry.calls ?? []),
        tools: observedTools(telemetry.spans ?? []),
      }));
    },
    onRunEnd(run) {
      const phase = run.status === 'error' ? 'on_failure' : 'after_workflow';
      return aboutRun(run, phase);
    },
    async onTrace({ run, began, ended, ...telemetry }) {
      if (began) await adopt(run);
      if (ended) await governance.onRunEnd(run);
      else await governance.onTelemetry(run, telemetry);
    },
    async findFinalVerdict(tenantId, runId) {
      const told = await findEvaluationsOfRun(storage.db, tenantId, runId);
      return strictestRecorded(
        told.filter(({ phase }) => phase === 'after_workflow' || phase === 'on_failure'),
      );
    },
  };
  return governance;
}
