import type { OfTenant } from './of-tenant.ts';

/** A tenant's own prices, and the state of its latest recomputation of costs. */
export interface CostTables {
  model_cost_overrides: ModelCostOverrideTable;
  cost_recomputations: CostRecomputationTable;
}

interface ModelCostOverrideTable extends OfTenant {
  /** `model_id` in lower case: model names are case-insensitive. */
  model_key: string;
  model_id: string;
  input_cost_per_million: number;
  output_cost_per_million: number;
  cache_read_cost_per_million: number | null;
  cache_write_cost_per_million: number | null;
  updated_at: number;
}

/** The recomputation of a tenant that is running, or else its last one. */
interface CostRecomputationTable extends OfTenant {
  /**
   * The id of the worker, so that a process that was presumed dead cannot overwrite its successor.
   */
  id: string;
  status: 'running' | 'completed' | 'failed';
  dry_run: number;
  /** JSON. */
  progress: string;
  started_at: number;
  updated_at: number;
}
