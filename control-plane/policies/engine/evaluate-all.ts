import type { Masker } from '../../settings/masking/masker.ts';
import type { Storage } from '../../storage/open.ts';
import type { Tx } from '../../storage/transaction.ts';
import { type EvaluationResult, evaluate } from '../evaluate.ts';
import { isEndPhase, type Situation } from '../category.ts';
import type { Policy, PolicySet } from '../policy-set.ts';
import { NO_FACTS } from '../situation.ts';
import { requestApprovals } from './request-approvals.ts';
import type { PolicySetStore } from './policy-sets.ts';
import { openFacts } from './facts.ts';
import { countWork, findRun, storeChecks } from './engine-queries.ts';
import {
  type RecordedRequest,
  type EvaluationRecorder,
  recordOutcomes,
} from './record-outcomes.ts';
import { openStates } from './states.ts';

export interface PendingEvaluation {
  tenantId: string;
  masker: Masker;
  policies: PolicySet;
  situation: Situation;
  /** The run to evaluate. Its owner and progress are read in the same transaction. */
  runId: number | null;
}

interface EngineOptions extends Omit<EvaluationRecorder, 'policySets'> {
  storage: Storage;
  policySetStore: PolicySetStore;
}

type Remembered = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type PreparedRequest = RecordedRequest & { remembered: Remembered };

/**
 * Evaluates requests in one transaction, in order. Each sees the state left by the previous ones,
 * so concurrent requests are admitted as if they had arrived one after another.
 */
export async function evaluateAll(
  { storage, newId, notify, policySetStore }: EngineOptions,
  requests: readonly PendingEvaluation[],
): Promise<EvaluationResult[]> {
  const policySets = policySetStore.open();
  const answers = await storage.transaction(async (tx) => {
    const prepared: PreparedRequest[] = [];
    for (const request of requests) prepared.push(await prepare(tx, request));
    const states = await openStates(tx, prepared);
    const reader = await openFacts(tx, prepared);
    const answers: EvaluationResult[] = [];
    for (const request of prepared) {
      const facts = await reader.factsOf(request);
      const answer = evaluate({
        ...request,
        factsOf: (policy) => facts.get(policy) ?? NO_FACTS,
        rememberedOf: (policy) => request.remembered[policy.id] ?? null,
        states: states.of(request),
      });
      for (const { policy, evaluation } of answer.outcomes)
        if (evaluation.approval) reader.requested(request, policy);
      answers.push(await requestApprovals(tx, { newId, notify }, request, answer));
    }
    const checks = await recordOutcomes(
      tx,
      { newId, notify, policySets },
      prepared.map((request, index) => [request, answers[index] as EvaluationResult] as const),
    );
    const now = Math.max(...prepared.map(({ situation }) => situation.now));
    await storeChecks(tx, checks, states.changed(now));
    return answers;
  });
  policySets.committed();
  return answers;
}

async function prepare(
  tx: Tx,
  { policies, situation, runId, ...of }: PendingEvaluation,
): Promise<PreparedRequest> {
  const run = runId === null ? undefined : await findRun(tx, of.tenantId, runId);
  const exists = (id: string): boolean => policies.has(id);
  if (!run)
    return {
      ...of,
      exists,
      situation,
      policies: policies.matching(situation),
      ending: [],
      remembered: {},
    };
  const actual: Situation = {
    ...situation,
    agent: run.agent_name,
    workflow: run.workflow_name,
    sessionId: run.session_id,
    userId: run.user_id,
    userGroup: run.user_group,
    endUserId: run.end_user_id,
    // The stored result is masked.
    result: run.result === null ? null : (JSON.parse(run.result) as unknown),
    error: run.error,
  };
  const matching = policies.matching(actual);
  return {
    ...of,
    exists,
    situation: {
      ...actual,
      run: {
        id: run.id,
        status: run.status,
        startedAt: run.started_at,
        completedAt: run.completed_at,
        tokens: run.tokens,
        cost: run.cost,
        llmCallCount: run.llm_call_count,
        ...(matching.some(countsWork) ? await countWork(tx, of.tenantId, run.id) : NO_COUNTS),
      },
    },
    policies: matching,
    ending: isEndPhase(situation.phase) ? policies.ending(actual) : [],
    remembered: run.remembered ? (JSON.parse(run.remembered) as Remembered) : {},
  };
}

const NO_COUNTS = { stepCount: 0, toolCallCount: 0, retryCount: 0 };

/**
 * Whether the category uses counts. Counting is expensive for a run with many spans, so it is done
 * only if it does.
 */
const countsWork = ({ category }: Policy): boolean => category.countsWork ?? false;
