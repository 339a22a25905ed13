import type { Masker } from '../settings/masking/masker.ts';
import type { Notify } from '../notification-event.ts';
import { groupCommit } from '../storage/group-commit.ts';
import type { Storage } from '../storage/open.ts';
import type { RunRef } from '../usage/count.ts';
import type { EvaluationResult } from './evaluate.ts';
import type { StartEvaluation } from './engine/evaluation-request.ts';
import { evaluateAtStart } from './evaluate-at-start.ts';
import type { Situation } from './category.ts';
import { type PendingEvaluation, evaluateAll } from './engine/evaluate-all.ts';
import { createPolicySetStore } from './engine/policy-sets.ts';
import { findEvaluationsOfRun, storeStart } from './engine/engine-queries.ts';
import { createPolicyCache } from './policy-cache.ts';
import { policiesForHeldCalls, policiesForToolCalls, type PolicySet } from './policy-set.ts';
import { type EvaluatedTelemetry, observedCalls, observedTools } from './telemetry-input.ts';
import { situationOf } from './situation.ts';
import { strictestRecorded, type Verdict, verdictOf } from './verdict.ts';

/** Policy evaluation for the rest of the control plane, at each phase of a run. */
export interface Governance {
  /** Decides whether a run may start. A run that is admitted counts towards the limits. */
  check(tenantId: string, situation: Situation): Promise<Verdict>;
  /**
   * Decides whether a call that a device holds may be made. Null if no policy for held calls
   * applies.
   */
  checkHeld(tenantId: string, situation: Situation): Promise<Verdict | null>;
  /**
   * Decides whether a coding agent may call a tool. Null if no policy for tool calls applies.
   * `onDevice` restricts the evaluation to the policies that devices evaluate themselves.
   */
  checkTool(
    tenantId: string,
    situation: Situation,
    of?: { onDevice: boolean },
  ): Promise<Verdict | null>;
  /** Returns the policies for tool calls. */
  toolPoliciesOf(tenantId: string): Promise<PolicySet>;
  /** Evaluates the start of a run. The caller stores the result with the run. */
  evaluateStart(tenantId: string, situation: Situation): Promise<StartEvaluation>;
  /** Evaluates stored telemetry. Null if no policy applies. */
  onTelemetry(run: RunRef, telemetry: EvaluatedTelemetry): Promise<Verdict | null>;
  /** Evaluates the end of a run, which releases its slots. Null if no policy applies. */
  onRunEnd(run: RunRef): Promise<Verdict | null>;
  /** Evaluates a run's data from a trace. */
  onTrace(what: TracedRun): Promise<void>;
  /** Finds the recorded verdict of the end of a run, for repeated completions. */
  findFinalVerdict(tenantId: string, runId: number): Promise<Verdict | null>;
}

/** A run's data from a trace, and whether the run began or ended with it. */
export interface TracedRun extends EvaluatedTelemetry {
  run: RunRef;
  began: boolean;
  ended: boolean;
}

interface GovernanceOptions {
  storage: Storage;
  /** Returns the masker for recorded data. */
  maskerOf: (tenantId: string) => Promise<Masker>;
  now: () => number;
  newId: (prefix: string) => string;
  notify: Notify;
  onProblem: (line: string) => void;
}

export function createGovernance({
  storage,
  maskerOf,
  now,
  newId,
  notify,
  onProblem,
}: GovernanceOptions): Governance {
  const policiesOf = createPolicyCache(storage, onProblem);
  const policySetStore = createPolicySetStore();
  const commit = groupCommit<PendingEvaluation, EvaluationResult>({
    sizeOf: () => 10,
    write: (requests) => evaluateAll({ storage, newId, notify, policySetStore }, requests),
    isUnavailable: (error) => storage.isUnavailable(error),
  });

  async function evaluateRequest(request: PendingEvaluation): Promise<EvaluationResult> {
    const result = await commit(request);
    if (result.outcomes.some(({ evaluation }) => evaluation.approval))
      storage.signals.publish({ tenant_id: request.tenantId, topic: 'approvals' });
    return result;
  }

  /** Evaluates a check with these policies, if any applies. */
  async function evaluateCheck(
    policies: PolicySet,
    tenantId: string,
    situation: Situation,
  ): Promise<Verdict | null> {
    if (policies.matching(situation).length === 0) return null;
    const masker = await maskerOf(tenantId);
    return verdictOf(await evaluateRequest({ tenantId, masker, policies, situation, runId: null }));
  }

  /** Evaluates a run, if any policy applies. */
  async function evaluateRun(
    run: RunRef,
    phase: Situation['phase'],
    telemetry?: () => Partial<Situation>,
  ): Promise<Verdict | null> {
    const policies = await policiesOf(run.tenant_id);
    const subject = { agent: run.agent_name, workflow: run.workflow_name };
    if (!policies.appliesTo(subject, phase)) return null;
    const situation = situationOf({ ...subject, phase, now: now(), ...telemetry?.() });
    const { outcomes, verdict } = await evaluateRequest({
      tenantId: run.tenant_id,
      masker: await maskerOf(run.tenant_id),
      policies,
      situation,
      runId: run.id,
    });
    return verdict && verdictOf({ outcomes, verdict });
  }

  /** Evaluates the start of a run that is already stored. */
  async function evaluateStoredStart(run: RunRef): Promise<void> {
    const { tenant_id: tenantId, agent_name: agent, workflow_name: workflow } = run;
    const at = { phase: 'before_workflow', now: run.started_at } as const;
    const situation = situationOf({ ...at, agent, workflow, userId: run.user_id });
    const start = evaluateAtStart(await policiesOf(tenantId), { tenantId, situation, newId });
    if (start.evaluations.length > 0) await storage.transaction((tx) => storeStart(tx, run, start));
  }

  const governance: Governance = {
    async check(tenantId, situation) {
      const policies = await policiesOf(tenantId);
      const masker = await maskerOf(tenantId);
      return verdictOf(
        await evaluateRequest({ tenantId, masker, policies, situation, runId: null }),
      );
    },
    async checkHeld(tenantId, situation) {
      return evaluateCheck(policiesForHeldCalls(await policiesOf(tenantId)), tenantId, situation);
    },
    async checkTool(tenantId, situation, of) {
      return evaluateCheck(
        policiesForToolCalls(await policiesOf(tenantId), of),
        tenantId,
        situation,
      );
    },
    async toolPoliciesOf(tenantId) {
      return policiesForToolCalls(await policiesOf(tenantId));
    },
    async evaluateStart(tenantId, situation) {
      return evaluateAtStart(await policiesOf(tenantId), { tenantId, situation, newId });
    },
    onTelemetry(run, telemetry) {
      // Telemetry after the end of a run cannot stop anything.
      if (run.status !== 'running') return Promise.resolve(null);
      return evaluateRun(run, 'mid_execution', () => ({
        calls: observedCalls(telemetry.calls ?? []),
        tools: observedTools(telemetry.spans ?? []),
      }));
    },
    onRunEnd(run) {
      const phase = run.status === 'error' ? 'on_failure' : 'after_workflow';
      return evaluateRun(run, phase);
    },
    async onTrace({ run, began, ended, ...telemetry }) {
      if (began) await evaluateStoredStart(run);
      if (ended) await governance.onRunEnd(run);
      else await governance.onTelemetry(run, telemetry);
    },
    async findFinalVerdict(tenantId, runId) {
      const evaluations = await findEvaluationsOfRun(storage.db, tenantId, runId);
      return strictestRecorded(
        evaluations.filter(({ phase }) => phase === 'after_workflow' || phase === 'on_failure'),
      );
    },
  };
  return governance;
}
