import type { Masker } from '../../masking/masker.ts';
import type { Trx } from '../../storage/open.ts';
import { type EvaluationResult, evaluate } from '../evaluate.ts';
import { isEnd, type Situation } from '../category.ts';
import type { Policy, PolicySet } from '../policy-set.ts';
import { NO_FACTS } from '../situation.ts';
import { settleApprovals } from './approvals.ts';
import type { PolicySetStore } from './policy-sets.ts';
import { openFacts } from './facts.ts';
import { countWork, findRun, storeChecks } from './engine-queries.ts';
import { type RecordedRequest, type Recorder, recordAnswers } from './records.ts';
import { openStates } from './states.ts';

export interface Evaluate {
  tenantId: string;
  masker: Masker;
  policies: PolicySet;
  situation: Situation;
  /** The run that it is about: whose it is and how far it came is read with the answer. */
  runId: number | null;
}

interface EngineOptions extends Omit<Recorder, 'asked'> {
  askedPolicies: PolicySetStore;
}

type Remembered = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type Ready = RecordedRequest & { remembered: Remembered };

/**
 * Answers questions in one transaction, in the order in which they came, each with what the ones
 * before it left: whoever asks in parallel is admitted as if they had asked one after the other.
 */
export async function evaluateAll(
  { storage, newId, askedPolicies }: EngineOptions,
  asks: readonly Evaluate[],
): Promise<EvaluationResult[]> {
  const asked = askedPolicies.open();
  const answers = await storage.db.transaction().execute(async (trx) => {
    const ready: Ready[] = [];
    for (const one of asks) ready.push(await prepare(trx, one));
    const states = await openStates(storage, trx, ready);
    const reader = await openFacts(storage, trx, ready);
    const answers: EvaluationResult[] = [];
    for (const asking of ready) {
      const facts = await reader.factsOf(asking);
      const answer = evaluate({
        ...asking,
        factsOf: (policy) => facts.get(policy) ?? NO_FACTS,
        rememberedOf: (policy) => asking.remembered[policy.id] ?? null,
        states: states.of(asking),
      });
      for (const { policy, evaluation } of answer.outcomes)
        if (evaluation.approval) reader.requested(asking, policy);
      answers.push(await settleApprovals(storage, trx, asking, answer));
    }
    const checks = await recordAnswers(
      { storage, newId, asked },
      trx,
      ready.map((asking, index) => [asking, answers[index] as EvaluationResult] as const),
    );
    const now = Math.max(...ready.map(({ situation }) => situation.now));
    await storeChecks(storage, trx, checks, states.changed(now));
    return answers;
  });
  asked.committed();
  return answers;
}

async function prepare(trx: Trx, { policies, situation, runId, ...of }: Evaluate): Promise<Ready> {
  const run = runId === null ? undefined : await findRun(trx, of.tenantId, runId);
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
  const known: Situation = {
    ...situation,
    agent: run.agent_name,
    workflow: run.workflow_name,
    sessionId: run.session_id,
    userId: run.user_id,
    userGroup: run.user_group,
    endUserId: run.end_user_id,
    // As they were stored: masked.
    result: run.result === null ? null : (JSON.parse(run.result) as unknown),
    error: run.error,
  };
  const matching = policies.matching(known);
  return {
    ...of,
    exists,
    situation: {
      ...known,
      run: {
        id: run.id,
        status: run.status,
        startedAt: run.started_at,
        completedAt: run.completed_at,
        tokens: run.tokens,
        cost: run.cost,
        llmCallCount: run.llm_call_count,
        ...(matching.some(countsWork) ? await countWork(trx, of.tenantId, run.id) : NO_WORK),
      },
    },
    policies: matching,
    ending: isEnd(situation.phase) ? policies.ending(known) : [],
    remembered: run.remembered ? (JSON.parse(run.remembered) as Remembered) : {},
  };
}

const NO_WORK = { stepCount: 0, toolCallCount: 0, retryCount: 0 };

/** Counting is dear for a run of many spans: it is done for those who look at it. */
const countsWork = ({ category }: Policy): boolean => category.countsWork ?? false;
