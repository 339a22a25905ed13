import type { EvaluationTable } from '../../storage/tables/governance.ts';
import type { Situation } from '../category.ts';
import type { Policy } from '../policy-set.ts';

/** One situation and the policies that decide on it. */
export interface EvaluationRequest {
  tenantId: string;
  situation: Situation;
  /** Does the tenant have this policy, whether or not it applies here? */
  exists: (policyId: string) => boolean;
  policies: readonly Policy[];
  /** The policies that act on the end of the run; empty while it is running. */
  ending: readonly Policy[];
}

/** The result of the policies that are evaluated when a run starts; it is stored with the run. */
export interface StartEvaluation {
  /** JSON by policy, or null. */
  remembered: string | null;
  evaluations: Omit<EvaluationTable, 'tenant_id' | 'run_id'>[];
}
