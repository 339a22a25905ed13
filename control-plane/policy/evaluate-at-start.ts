import { evaluate } from './evaluate.ts';
import type { Situation } from './category.ts';
import type { StartEvaluation } from './engine/evaluation-request.ts';
import { evaluationOf } from './engine/records.ts';
import type { PolicySet } from './policy-set.ts';
import { NO_FACTS } from './situation.ts';

export interface Starting {
  tenantId: string;
  situation: Situation;
  newId: (prefix: string) => string;
}

export function evaluateAtStart(
  policies: PolicySet,
  { newId, ...starting }: Starting,
): StartEvaluation {
  const { situation } = starting;
  const asked = policies.matching(situation).filter(({ category }) => category.atRunStart);
  const { outcomes } = evaluate({ ...WITHOUT_PAST, situation, policies: asked });
  const remembered = outcomes.flatMap(({ policy, evaluation: { remember } }) =>
    remember ? [[policy.id, remember] as const] : [],
  );
  return {
    remembered: remembered.length > 0 ? JSON.stringify(Object.fromEntries(remembered)) : null,
    evaluations: outcomes.map((outcome) => {
      const { tenant_id: _, ...row } = evaluationOf({ newId }, starting, outcome);
      return row;
    }),
  };
}

/** Policies that are asked when a run starts look at nothing but the run. */
const WITHOUT_PAST = {
  factsOf: () => NO_FACTS,
  rememberedOf: () => null,
  states: { get: () => undefined, set: () => undefined },
};
