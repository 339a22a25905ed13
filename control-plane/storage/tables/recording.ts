import type { CostSource } from '#contract/costs.ts';
import type { Generated } from 'kysely';
import type { OfTenant } from './of-tenant.ts';

/** What agents recorded. */
export interface RecordingTables {
  workflows: WorkflowTable;
  runs: RunTable;
  llm_calls: LlmCallTable;
  steps: StepTable;
  spans: SpanTable;
  scores: ScoreTable;
  recording_batches: RecordingBatchTable;
}

interface WorkflowTable extends OfTenant {
  id: Generated<number>;
  agent_name: string;
  workflow_name: string;
}

interface RunTable extends OfTenant {
  id: Generated<number>;
  workflow_id: number;
  agent_name: string;
  workflow_name: string;
  parent_run_id: number | null;
  /** The span of the parent run that started it. */
  parent_span_id: string | null;
  trace_id: string | null;
  session_id: string | null;
  user_id: string | null;
  user_group: string | null;
  /** The customer of the customer, if different from `user_id`. */
  end_user_id: string | null;
  tags: string;
  inputs: string | null;
  metadata: string | null;
  result: string | null;
  error: string | null;
  status: 'running' | 'success' | 'error';
  started_at: number;
  completed_at: number | null;
  llm_call_count: number;
  tokens: number;
  cost: number;
  /** JSON by policy of the values that policies stored at its start; null if there are none. */
  remembered: string | null;
  /** The capture that it was created from, and its device; null for runs recorded by clients. */
  capture_id: string | null;
  device_id: string | null;
  /** The API key that recorded it; null if a device reported it. */
  api_key_id: string | null;
}

/** The position of a record in its trace; null if the client reports none. */
interface Place {
  /** The id that the client sent. */
  span_id: string | null;
  parent_span_id: string | null;
  started_at: number | null;
}

interface LlmCallTable extends OfTenant, Place {
  id: Generated<number>;
  run_id: number;
  model: string;
  task: string | null;
  agent_name: string;
  workflow_name: string;
  tokens_in: number;
  tokens_out: number;
  total_tokens: number;
  /** Included in `tokens_in`. */
  cache_read_tokens: number;
  /** Included in `tokens_in`. */
  cache_write_tokens: number;
  provider: string | null;
  duration_ms: number | null;
  cost: number;
  /** The source of the price. It is stored, so that past costs stay the same when prices change. */
  cost_source: CostSource;
  /** Empty if no prompt text was sent. */
  prompt_hash: string;
  created_at: number;
  prompt_preview: string;
  response_preview: string;
  /** 1 if it is counted in the usage of its prompt. */
  prompt_counted: Generated<0 | 1>;
  /** The provider's id of the response, unique per tenant. */
  response_id: string | null;
  /** Included in `tokens_out`. */
  reasoning_tokens: number | null;
  time_to_first_token_ms: number | null;
  finish_reason: string | null;
  /** JSON: the tools requested by the response, each with `id`, `name` and `arguments`. */
  tool_calls: string | null;
}

interface StepTable extends OfTenant, Place {
  id: Generated<number>;
  run_id: number;
  step_name: string;
  output: string | null;
  created_at: number;
}

interface SpanTable extends OfTenant, Place {
  id: Generated<number>;
  run_id: number;
  name: string;
  kind: 'tool' | 'retriever' | 'decision' | 'reasoning' | 'retry';
  status: 'ok' | 'error';
  duration_ms: number | null;
  position: number;
  attributes: string | null;
  input_data: string | null;
  output_data: string | null;
  created_at: number;
}

interface ScoreTable extends OfTenant {
  id: string;
  run_id: number;
  run_agent_name: string;
  llm_call_id: number | null;
  llm_call_model: string | null;
  name: string;
  data_type: 'numeric' | 'categorical' | 'boolean';
  source: 'manual' | 'sdk' | 'evaluator';
  numeric_value: number | null;
  string_value: string | null;
  comment: string | null;
  metadata: string | null;
  author_user_id: string | null;
  evaluator_id: string | null;
  evaluator_name: string | null;
  created_at: number;
}

interface RecordingBatchTable extends OfTenant {
  batch_id: string;
  /** `add` is from an older version: LLM calls, steps, spans or scores. */
  kind: 'start' | 'add' | 'calls' | 'steps' | 'spans' | 'scores' | 'complete' | 'events';
  /** The run that the batch started or was recorded on. */
  run_id: number | null;
  item_count: number;
  created_at: number;
}
