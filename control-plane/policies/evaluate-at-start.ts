import { evaluate } from './evaluate.ts';
import type { Situation } from './category.ts';
import type { StartEvaluation } from './engine/evaluation-request.ts';
import { evaluationOf } from './engine/record-outcomes.ts';
import type { PolicySet } from './policy-set.ts';
import { NO_FACTS } from './situation.ts';

export interface RunStart {
  tenantId: string;
  situation: Situation;
  newId: (prefix: string) => string;
}

export function evaluateAtStart(
  policies: PolicySet,
  { newId, ...start }: RunStart,
): StartEvaluation {
  const { situation } = start;
  const matching = policies.matching(situation).filter(({ category }) => category.atRunStart);
  const { outcomes } = evaluate({ ...WITHOUT_FACTS, situation, policies: matching });
  const remembered = outcomes.flatMap(({ policy, evaluation: { remember } }) =>
    remember ? [[policy.id, remember] as const] : [],
  );
  return {
    remembered: remembered.length > 0 ? JSON.stringify(Object.fromEntries(remembered)) : null,
    evaluations: outcomes.map((outcome) => {
      const { tenant_id: _, ...row } = evaluationOf({ newId }, start, outcome);
      return row;
    }),
  };
}

/** Policies that are evaluated at the start of a run use neither facts nor state. */
const WITHOUT_FACTS = {
  factsOf: () => NO_FACTS,
  rememberedOf: () => null,
  states: { get: () => undefined, set: () => undefined },
};
