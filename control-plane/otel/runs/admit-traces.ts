import type { ApiError } from '#contract/errors.ts';
import type { PreparedSpan } from '../prepare-span.ts';
import type { StartingRun } from '../../tenants/quota-usage/refuse-new-agent.ts';
import type { Recording } from '../../recording/queries.ts';
import type { Tables } from '../../storage/tables.ts';
import { runOfTrace } from '../run-of-trace.ts';
import type { RejectedSpan } from '../span.ts';
import { joinFacts, type TraceFacts } from '../trace-facts.ts';

type TraceRow = Pick<Tables['otel_traces'], 'trace_id' | 'run_id' | 'facts'>;

export interface Admitted {
  spans: PreparedSpan[];
  rejected: RejectedSpan[];
  /** The reason for each trace that was rejected. */
  refusals: ReadonlyMap<string, string>;
}

/**
 * Reserves a run in the daily quota for each trace that is about to become one. If a quota is
 * exhausted, all spans of the trace are rejected. Traces that already have a run are not affected.
 */
export async function admitTraces(
  { quotas }: Recording,
  tenant_id: string,
  rows: readonly TraceRow[],
  spans: readonly PreparedSpan[],
): Promise<Admitted> {
  const byTrace = Map.groupBy(spans, ({ node }) => node.trace_id);
  const refusals = new Map<string, string>();
  for (const { trace_id, run_id, facts } of rows) {
    const own = byTrace.get(trace_id) ?? [];
    if (run_id !== null || !own.some(({ work }) => work)) continue;
    const refusal = await quotas.takeRun(new StartingTrace(tenant_id, own, facts));
    if (refusal) refusals.set(trace_id, reasonOf(refusal));
  }
  if (refusals.size === 0) return { spans: [...spans], rejected: [], refusals };
  const admitted: Admitted = { spans: [], rejected: [], refusals };
  for (const span of spans) {
    const reason = refusals.get(span.node.trace_id);
    if (reason === undefined) admitted.spans.push(span);
    else {
      const { scope, trace_id } = span.span;
      admitted.rejected.push({ reason, scope, trace_id });
    }
  }
  return admitted;
}

/**
 * A trace that is about to become a run. Only quotas read its agent, and few tenants have quotas.
 * It is a class, because each object literal with an accessor has its own hidden class.
 */
class StartingTrace implements StartingRun {
  readonly tenant_id: string;
  readonly #spans: readonly PreparedSpan[];
  readonly #facts: string | null;

  constructor(tenant_id: string, spans: readonly PreparedSpan[], facts: string | null) {
    this.tenant_id = tenant_id;
    this.#spans = spans;
    this.#facts = facts;
  }

  get agent_name(): string {
    return agentOf(this.#spans, this.#facts);
  }
}

function agentOf(spans: readonly PreparedSpan[], stored: string | null): string {
  const facts = spans.map((span) => span.facts);
  if (stored !== null) facts.push(JSON.parse(stored) as TraceFacts);
  return runOfTrace(facts.reduce(joinFacts), false).agent_name;
}

/** Returns the reason without numbers, because rejections are counted by reason. */
const reasonOf = ({ details }: ApiError): string =>
  `quota ${String(details.quota)} exceeded: no new run`;
