import type { OfTenant } from './of-tenant.ts';

/** A tenant's own prices, and what became of its latest recomputation of costs. */
export interface CostTables {
  model_cost_overrides: ModelCostOverrideTable;
  cost_recomputations: CostRecomputationTable;
}

interface ModelCostOverrideTable extends OfTenant {
  /** `model_id` in lower case: names of models do not differ by case. */
  model_key: string;
  model_id: string;
  input_cost_per_million: number;
  output_cost_per_million: number;
  cache_read_cost_per_million: number | null;
  cache_write_cost_per_million: number | null;
  updated_at: number;
}

/** One for each tenant: the running one, or else the last. */
interface CostRecomputationTable extends OfTenant {
  /** Who does it: a process that was thought dead must not write over its successor. */
  id: string;
  status: 'running' | 'completed' | 'failed';
  dry_run: number;
  /** JSON. */
  progress: string;
  started_at: number;
  updated_at: number;
}
