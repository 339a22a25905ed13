import type { Storage } from '../../storage/open.ts';
import type { Category, ObservedCall } from '../category.ts';
import { observedTools } from '../telemetry-input.ts';
import {
  countSpans,
  countSteps,
  firstCalls,
  firstTools,
  nextRuns,
  usageByModel,
} from './simulation-queries.ts';
import type { RecordedRun, RecordedTelemetry } from './recorded-run.ts';

const PAGE_SIZE = 250;
/** With what was said: so that a page never takes much memory. */
const CONTENT_PAGE_SIZE = 50;

/** How much of each run has to be read for a category to answer. */
export interface Wants {
  /** The texts of calls and what tools were given. */
  content: boolean;
  /** What models it used. */
  usage: boolean;
  /** How many steps and spans it has. */
  work: boolean;
  results: boolean;
}

export function wantsOf({ phases, reads = [], countsWork = false }: Category): Wants {
  const content = phases.includes('mid_execution');
  const results = phases.includes('after_workflow') || phases.includes('on_failure');
  return {
    content,
    usage: content || reads.includes('today') || reads.includes('endUser'),
    work: content || countsWork,
    results,
  };
}

export interface Recorded {
  /** Oldest first. */
  runs: AsyncIterable<RecordedRun>;
  /** Of how many runs so far a text was too long to be looked at. */
  unread(): number;
}

/** The runs of a tenant since a moment, read by pages as they are asked for. */
export function recordedRuns(
  storage: Storage,
  tenantId: string,
  { since, wants, gone }: { since: number; wants: Wants; gone: AbortSignal },
): Recorded {
  let unread = 0;
  async function* read(): AsyncGenerator<RecordedRun> {
    let after = { started_at: since, id: 0 };
    const limit = wants.content ? CONTENT_PAGE_SIZE : PAGE_SIZE;
    while (!gone.aborted) {
      const page = await nextRuns(storage, tenantId, { after, limit, results: wants.results });
      const telemetryOf = await readTelemetry(storage, tenantId, { page, wants });
      for (const { inputs_length, inputs, result, ...run } of page) {
        if (inputs_length !== null && inputs === null) unread += 1;
        const [given, got] = [parsed(inputs), parsed(result)];
        yield { ...run, inputs: given, result: got, telemetry: telemetryOf(run.id) };
      }
      const last = page.at(-1);
      if (!last || page.length < limit) return;
      after = last;
    }
  }
  return { runs: read(), unread: () => unread };
}

const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

type TelemetryOf = (runId: number) => RecordedTelemetry | null;

/** All that was recorded on a page's runs, with one query for each kind. */
async function readTelemetry(
  storage: Storage,
  tenantId: string,
  { page, wants }: { page: readonly { id: number }[]; wants: Wants },
): Promise<TelemetryOf> {
  const ids = storage.bulk.list(page.map(({ id }) => id));
  const when = async <T>(isWanted: boolean, read: () => Promise<T[]>): Promise<T[]> =>
    isWanted && page.length > 0 ? read() : [];
  const models = await when(wants.usage, () => usageByModel(storage, tenantId, ids));
  const steps = await when(wants.work, () => countSteps(storage, tenantId, ids));
  const spans = await when(wants.work, () => countSpans(storage, tenantId, ids));
  const calls = await when(wants.content, () => firstCalls(storage, tenantId, ids));
  const tools = await when(wants.content, () => firstTools(storage, tenantId, ids));
  const of = { models: byRun(models), steps: byRun(steps), spans: byRun(spans) };
  const first = { calls: byRun(calls), tools: byRun(tools) };

  return (id) => {
    const [used, stepped, spanned] = [of.models(id), of.steps(id), of.spans(id)];
    const times = [...used, ...stepped, ...spanned].map(({ last_at }) => last_at);
    if (times.length === 0) return null;
    const countOf = (kind: string) => spanned.find((span) => span.kind === kind)?.count ?? 0;
    return {
      lastAt: Math.max(...times),
      models: used,
      stepCount: stepped[0]?.count ?? 0,
      toolCallCount: countOf('tool'),
      retryCount: countOf('retry'),
      calls: first.calls(id).map(observedCall),
      tools: observedTools(first.tools(id)),
      textLength: lengthOf(first.calls(id)) + lengthOf(first.tools(id)),
    };
  };
}

function byRun<T extends { run_id: number }>(rows: readonly T[]): (id: number) => T[] {
  const groups = Map.groupBy(rows, ({ run_id }) => run_id);
  return (id) => groups.get(id) ?? [];
}

const lengthOf = (rows: readonly object[]): number =>
  rows
    .flatMap((row): unknown[] => Object.values(row))
    .reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);

const observedCall = (call: Awaited<ReturnType<typeof firstCalls>>[number]): ObservedCall => ({
  model: call.model,
  tokensIn: call.tokens_in,
  tokensOut: call.tokens_out,
  cost: call.cost,
  prompt: call.prompt,
  response: call.response,
});
