import type { Generated } from 'kysely';
import type { OfTenant } from './of-tenant.ts';

/** Datasets, and experiments over their items. All of them are kept until a user deletes them. */
export interface DatasetTables {
  datasets: DatasetTable;
  dataset_items: DatasetItemTable;
  experiments: ExperimentTable;
  experiment_results: ExperimentResultTable;
  experiment_scores: ExperimentScoreTable;
}

interface DatasetTable extends OfTenant {
  id: string;
  name: string;
  description: string;
  /** The position of the next item. Items are archived but never removed from a dataset. */
  next_position: number;
  /** The e-mail address of the user, or the id of the API key. */
  created_by: string;
  created_at: number;
  updated_at: number;
}

interface DatasetItemTable extends OfTenant {
  id: string;
  dataset_id: string;
  position: number;
  /** The call that the item was created from. It may have been deleted since. */
  llm_call_id: number | null;
  created_at: number;
  updated_at: number;
  /** Null unless archived. Experiments do not run archived items. */
  archived_at: number | null;
  input_preview: string;
  expected_preview: string | null;
  /** JSON object. */
  metadata: string;
  /** JSON: an object with variables, or an array of messages. */
  input: string;
  /** JSON; null if no output is expected. */
  expected_output: string | null;
}

interface ExperimentTable extends OfTenant {
  id: string;
  dataset_id: string;
  name: string;
  status: 'running' | 'completed' | 'cancelled';
  /** Identifies the claim of the process that runs the experiment. */
  lease_id: string;
  /** The time after which another process may take over. */
  lease_until: number;
  /** Null if the prompt text was given directly. The prompt may have been deleted since. */
  prompt_id: string | null;
  prompt_name: string | null;
  prompt_version: number | null;
  model: string;
  concurrency: number;
  created_by: string;
  created_at: number;
  completed_at: number | null;
  /** JSON of the config, as in the playground. */
  config: string;
  /** JSON array. */
  evaluators: string;
  /** JSON: a text or messages. Null if the messages of each item are sent as they are. */
  content: string | null;
  /** 1, plus the number of times that it was retried. */
  attempt: Generated<number>;
}

/** One item of an experiment, as it was when the experiment started. */
interface ExperimentResultTable extends OfTenant {
  experiment_id: string;
  item_id: string;
  position: number;
  status: 'pending' | 'completed' | 'failed';
  latency_ms: number | null;
  tokens_in: number;
  tokens_out: number;
  cost: number;
  /** The cost of the models that judged the output. */
  evaluation_cost: number;
  completed_at: number | null;
  /** The reason why there is no output. */
  error: string | null;
  input_preview: string;
  expected_preview: string | null;
  output_preview: string;
  /** JSON arrays. */
  missing_variables: string;
  ignored_settings: string;
  tool_calls: string;
  input: string;
  expected_output: string | null;
  output: string;
  /** The attempt of the experiment in which the result was stored. */
  attempt: Generated<number>;
}

/** The score of one evaluator for one output: a value between 0 and 1, or an error. */
interface ExperimentScoreTable extends OfTenant {
  experiment_id: string;
  item_id: string;
  /** The name of the evaluator. */
  name: string;
  value: number | null;
  /** 1 or 0; null if the evaluator returns a number. */
  passed: number | null;
  reason: string | null;
  error: string | null;
  /** The attempt of the experiment in which the score was stored. */
  attempt: Generated<number>;
}
