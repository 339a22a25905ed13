import type { RunSoFar, ObservedCall, ObservedTool } from '../category.ts';

/** A run as it was recorded, with as much of it as the category looks at. Times are milliseconds. */
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
  /** Null where the category does not look at it, or nothing was recorded. */
  telemetry: RecordedTelemetry | null;
}

export interface RecordedTelemetry extends Pick<
  RunSoFar,
  'stepCount' | 'toolCallCount' | 'retryCount'
> {
  /** When the last of it came. */
  lastAt: number;
  models: readonly { model: string; tokens: number; cost: number }[];
  calls: readonly ObservedCall[];
  tools: readonly ObservedTool[];
  /** How many characters the texts of all that have. */
  textLength: number;
}
