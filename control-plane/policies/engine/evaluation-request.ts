import type { EvaluationTable } from '../../storage/tables/governance.ts';
import type { Situation } from '../category.ts';
import type { Policy } from '../policy-set.ts';

/** A situation and the policies that are evaluated for it. */
export interface EvaluationRequest {
  tenantId: string;
  situation: Situation;
  /** Whether the tenant has this policy, even if it does not apply here. */
  exists: (policyId: string) => boolean;
  policies: readonly Policy[];
  /** The policies that act on the end of the run; empty while the run is active. */
  ending: readonly Policy[];
}

/** The result of the policies that are evaluated when a run starts. It is stored with the run. */
export interface StartEvaluation {
  /** JSON by policy; null if there is none. */
  remembered: string | null;
  evaluations: Omit<EvaluationTable, 'tenant_id' | 'run_id'>[];
}
