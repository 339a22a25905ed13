import type { RecordedRun } from '#control-plane/policies/simulation/recorded-run.ts';

/** A recorded run for a simulation, with defaults for all fields that do not matter. */
export const recordedRun = (
  known: Pick<RecordedRun, 'id' | 'started_at'> & Partial<RecordedRun>,
): RecordedRun => ({
  agent_name: 'a',
  workflow_name: 'default',
  session_id: null,
  user_id: null,
  user_group: null,
  end_user_id: null,
  status: known.completed_at === undefined ? 'running' : 'success',
  completed_at: null,
  tokens: 0,
  cost: 0,
  llm_call_count: 0,
  inputs: null,
  result: null,
  error: null,
  telemetry: null,
  ...known,
});
