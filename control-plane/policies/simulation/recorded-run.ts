import type { RunSoFar, ObservedCall, ObservedTool } from '../category.ts';

/** A recorded run, with the data that the category uses. Times are milliseconds since 1970. */
export interface RecordedRun {
  id: number;
  agent_name: string;
  workflow_name: string;
  session_id: string | null;
  user_id: string | null;
  user_group: string | null;
  end_user_id: string | null;
  status: 'running' | 'success' | 'error';
  started_at: number;
  completed_at: number | null;
  tokens: number;
  cost: number;
  llm_call_count: number;
  inputs: unknown;
  result: unknown;
  error: string | null;
  /** Null if the category does not use it, or if no telemetry was recorded. */
  telemetry: RecordedTelemetry | null;
}

export interface RecordedTelemetry extends Pick<
  RunSoFar,
  'stepCount' | 'toolCallCount' | 'retryCount'
> {
  /** The time of the last record. */
  lastAt: number;
  models: readonly { model: string; tokens: number; cost: number }[];
  calls: readonly ObservedCall[];
  tools: readonly ObservedTool[];
  /** The total length of all texts, in characters. */
  textLength: number;
}
