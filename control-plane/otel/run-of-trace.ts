import type { Tables } from '../storage/tables.ts';
import type { TraceFacts } from './trace-facts.ts';

/** The run of a trace, based on the spans that have arrived, without input and output. */
export type MappedRun = ReturnType<typeof runOfTrace>;

/**
 * Maps the facts of a trace to its run. `closed` means that the root span has not arrived and is no
 * longer expected.
 */
export function runOfTrace(facts: TraceFacts, closed: boolean) {
  return {
    agent_name: facts.agent?.value ?? 'unknown',
    workflow_name: facts.workflow?.value ?? 'default',
    session_id: facts.session?.value ?? null,
    user_id: facts.user?.value ?? null,
    tags: JSON.stringify(facts.tags ?? []),
    started_at: facts.started_at,
    ...endOf(facts, closed),
    metadata: metadataOf(facts),
  };
}

type End = Pick<Tables['runs'], 'completed_at' | 'status' | 'error'>;

function endOf(facts: TraceFacts, closed: boolean): End {
  const { top, ended_at, outcome, prompt } = facts;
  const { is_root, error: ownError, ended_at: rootEnd } = top.value;
  if (!is_root && !closed) return { completed_at: null, status: 'running', error: null };
  const error = ownError ?? outcome?.value.error ?? null;
  return {
    // The root span of a coding agent may end before the work that it started.
    completed_at: is_root && !prompt ? rootEnd : ended_at,
    status: error === null ? 'success' : 'error',
    error,
  };
}

function metadataOf({ top, service }: TraceFacts): Record<string, string> {
  const { name, environment, version } = service?.value ?? {};
  return {
    root_span: top.value.name,
    ...(name !== undefined && { service: name }),
    ...(environment !== undefined && { environment }),
    ...(version !== undefined && { service_version: version }),
  };
}
