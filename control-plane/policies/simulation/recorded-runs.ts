import type { Storage } from '../../storage/open.ts';
import { valueList } from '../../storage/value-list.ts';
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
/** The page size with content, which is smaller to bound the memory of a page. */
const CONTENT_PAGE_SIZE = 50;

/** The data of a run that a category needs. */
export interface RequiredData {
  /** The texts of calls, and the inputs and outputs of tools. */
  content: boolean;
  /** The usage by model. */
  usage: boolean;
  /** The numbers of steps and spans. */
  work: boolean;
  results: boolean;
}

export function requiredDataOf({ phases, reads = [], countsWork = false }: Category): RequiredData {
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
  /** The runs, oldest first. */
  runs: AsyncIterable<RecordedRun>;
  /** The number of runs so far with a text too long to evaluate. */
  unread(): number;
}

/** Returns the runs of a tenant since a time. They are read page by page on demand. */
export function recordedRuns(
  storage: Storage,
  tenantId: string,
  { since, needs, signal }: { since: number; needs: RequiredData; signal: AbortSignal },
): Recorded {
  let unread = 0;
  async function* read(): AsyncGenerator<RecordedRun> {
    let after = { started_at: since, id: 0 };
    const limit = needs.content ? CONTENT_PAGE_SIZE : PAGE_SIZE;
    while (!signal.aborted) {
      const page = await nextRuns(storage, tenantId, { after, limit, results: needs.results });
      const telemetryOf = await readTelemetry(storage, tenantId, { page, needs });
      for (const { inputs_length, inputs, result, ...run } of page) {
        if (inputs_length !== null && inputs === null) unread += 1;
        const [input, output] = [parsed(inputs), parsed(result)];
        yield { ...run, inputs: input, result: output, telemetry: telemetryOf(run.id) };
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

/** Reads all telemetry of the runs of a page, with one query per kind. */
async function readTelemetry(
  storage: Storage,
  tenantId: string,
  { page, needs }: { page: readonly { id: number }[]; needs: RequiredData },
): Promise<TelemetryOf> {
  const ids = valueList(page.map(({ id }) => id));
  const when = async <T>(isNeeded: boolean, read: () => Promise<T[]>): Promise<T[]> =>
    isNeeded && page.length > 0 ? read() : [];
  const models = await when(needs.usage, () => usageByModel(storage, tenantId, ids));
  const steps = await when(needs.work, () => countSteps(storage, tenantId, ids));
  const spans = await when(needs.work, () => countSpans(storage, tenantId, ids));
  const calls = await when(needs.content, () => firstCalls(storage, tenantId, ids));
  const tools = await when(needs.content, () => firstTools(storage, tenantId, ids));
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
