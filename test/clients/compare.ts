import type { TestClient } from '../support/control-plane.ts';
import { type ExportedSpan, exportedSpans, textOfExport, unescaped } from './exported-spans.ts';
import type { TrueCall } from './provider/server.ts';
import type { ExportedRequest } from './recording.ts';
import { scenario } from './scenario.ts';

/** A run as the public API returns it, with complete spans. */
export type ReadRun = Awaited<ReturnType<TestClient['runs']['getRun']>>;

export const columns = [
  'agent',
  'run',
  'nesting',
  'model',
  'tokens',
  'cached',
  'reasoning',
  'cost',
  'prompt',
  'answer',
  'tool input',
  'tool output',
  'errors',
  'session',
  'user',
  'tags',
  'once',
] as const;
export type Column = (typeof columns)[number];

/** `never`: the export of the client does not contain it. Any other text describes a mismatch. */
export const NEVER = 'never';
export type Cells = Record<Column, string>;

/** The facts about a client's run of the scenario that do not come from its export. */
export interface Truth {
  calls: TrueCall[];
  /** The number of turns of the agent; each becomes a run. */
  turns: number;
}

interface Compared {
  truth: Truth;
  runs: readonly ReadRun[];
  spans: readonly ExportedSpan[];
  /** The whole export as text. */
  text: string;
  /** The calls that the provider answered, and the stored calls, in order. */
  answeredCalls: TrueCall[];
  stored: ReadRun['llm_calls'];
}

const YES = 'yes';
const check = (isRight: boolean, wasSaid: boolean, found: unknown): string =>
  isRight ? YES : wasSaid ? `wrong: ${JSON.stringify(found)}` : NEVER;

/** Compares the runs with the facts, cell by cell. */
export function compare(
  truth: Truth,
  runs: readonly ReadRun[],
  requests: readonly ExportedRequest[],
): Cells {
  const calls = runs.flatMap(({ llm_calls, spans }) => {
    const failed = new Set(spans.flatMap((span) => (span.status === 'error' ? span.span_id : [])));
    return llm_calls.filter(({ span_id }) => !failed.has(span_id));
  });
  const compared: Compared = {
    truth,
    runs,
    spans: exportedSpans(requests),
    text: textOfExport(requests),
    answeredCalls: truth.calls.filter(({ refused }) => !refused),
    stored: calls.toSorted((a, b) => ((a.started_at ?? '') < (b.started_at ?? '') ? -1 : 1)),
  };
  return Object.fromEntries(columns.map((column) => [column, cells[column](compared)])) as Cells;
}

type Cell = (compared: Compared) => string;

const containsText = ({ text }: Compared, value: string): boolean => text.includes(value);

/** Whether a span of a call contains this number, which occurs nowhere else. */
const saysOnCalls = ({ spans }: Compared, value: number): boolean =>
  spans.some(({ isCall, text }) => isCall && new RegExp(`\\b${value}\\b`).test(text));

/** Compares one number of each call that the provider answered. */
const figures =
  (of: (call: TrueCall) => number, read: (call: ReadRun['llm_calls'][number]) => unknown): Cell =>
  (compared) => {
    const expected = compared.answeredCalls.map(of);
    const found = compared.stored.map(read);
    const isSaid = expected.some((value) => value > 0 && saysOnCalls(compared, value));
    return check(isSame(expected, found), isSaid, found);
  };

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);

/** Compares one field of every run with a text of the scenario. */
const onRuns =
  (expected: string, read: (run: ReadRun) => string | null): Cell =>
  (compared) => {
    // A client may report less about a failed turn: only what it reports is compared.
    const saying = compared.runs.filter(({ trace_id }) =>
      compared.spans.some((span) => span.traceId === trace_id && span.text.includes(expected)),
    );
    const found = saying.map(read);
    const isRight = found.length > 0 && found.every((value) => value === expected);
    return check(isRight, containsText(compared, expected), found);
  };

/** USD per million tokens: input, cached input, input written to the cache, output. */
const prices: Record<string, readonly [number, number, number, number]> = {
  'gpt-4o': [2.5, 1.25, 2.5, 10],
  'claude-sonnet-4-6': [3, 0.3, 3.75, 15],
  'gemini-2.5-flash': [0.3, 0.03, 0.3, 2.5],
  // An inference profile of a region costs a tenth more.
  'us.anthropic.claude-sonnet-4-6': [3.3, 0.33, 4.125, 16.5],
};

/** The price of a stored call. Whether its tokens are correct is another cell. */
function priceOf(call: ReadRun['llm_calls'][number], models: readonly string[]): number {
  const [input, read, write, output] = prices[models[0] ?? ''] ?? [0, 0, 0, 0];
  const { tokens_in, tokens_out, cache_read_tokens, cache_write_tokens } = call;
  const plain = tokens_in - cache_read_tokens - cache_write_tokens;
  return (
    (plain * input + cache_read_tokens * read + cache_write_tokens * write + tokens_out * output) /
    1e6
  );
}

const isPriced = (call: ReadRun['llm_calls'][number], { models }: TrueCall): boolean =>
  call.cost > 0 &&
  (call.cost_source === 'given' || Math.abs(call.cost / priceOf(call, models) - 1) < 0.001);

const cells: Record<Column, Cell> = {
  agent: onRuns(scenario.agent, ({ agent_name }) => agent_name),
  run({ truth, runs, spans }) {
    // Only a turn without any span has no run.
    const traces = new Set(spans.map(({ traceId }) => traceId)).size;
    const isSaid = traces >= truth.turns || runs.length !== traces;
    return check(
      runs.length === truth.turns,
      isSaid,
      runs.map(({ metadata }) => metadata),
    );
  },
  nesting: (compared) =>
    check(isNested(compared), compared.spans.length > 0, 'not the parents sent'),
  model(compared) {
    const found = compared.stored.map(({ model }) => model);
    const { answeredCalls } = compared;
    const isRight =
      found.length === answeredCalls.length &&
      answeredCalls.every(({ models }, index) => models.includes(found[index] ?? ''));
    return check(
      isRight && found.length > 0,
      answeredCalls.some(({ models }) => models.some((model) => containsText(compared, model))),
      found,
    );
  },
  tokens(compared) {
    const sides = [
      figures(
        ({ usage }) => usage?.input ?? 0,
        ({ tokens_in }) => tokens_in,
      ),
      figures(
        ({ usage }) => usage?.output ?? 0,
        ({ tokens_out }) => tokens_out,
      ),
    ].map((cell) => cell(compared));
    return (
      sides.find((side) => side !== YES && side !== NEVER) ?? sides.find((s) => s !== YES) ?? YES
    );
  },
  cached: figures(
    ({ usage }) => usage?.cacheRead ?? 0,
    ({ cache_read_tokens }) => cache_read_tokens,
  ),
  reasoning: figures(
    ({ usage }) => usage?.reasoning ?? 0,
    ({ reasoning_tokens }) => reasoning_tokens ?? 0,
  ),
  cost(compared) {
    const { stored, answeredCalls } = compared;
    const isRight =
      stored.length === answeredCalls.length &&
      stored.every((call, index) => isPriced(call, answeredCalls[index] as TrueCall));
    const isSaid = answeredCalls.some(({ usage }) => saysOnCalls(compared, usage?.input ?? 0));
    return check(
      isRight && stored.length > 0,
      isSaid,
      stored.map(({ cost, cost_source }) => [cost, cost_source]),
    );
  },
  prompt(compared) {
    const found = compared.stored.map(({ prompt_preview }) => prompt_preview);
    const containsInstructions = compared.spans.some(
      ({ isCall, text }) => isCall && text.includes(scenario.instructions),
    );
    const expected = [scenario.question, ...(containsInstructions ? [scenario.instructions] : [])];
    const isRight =
      found.length > 0 && found.every((text) => expected.every((part) => text.includes(part)));
    return check(isRight, containsText(compared, scenario.question), found);
  },
  answer(compared) {
    const found = compared.stored.map(({ response_preview }) => unescaped(response_preview));
    const isRight =
      found.length === compared.answeredCalls.length &&
      found.length > 0 &&
      compared.answeredCalls.every(({ tool, text: answer }, index) => {
        const text = found[index] ?? '';
        if (tool === null) return text.includes(unescaped(answer));
        if (tool === 'final_answer') return text.includes(scenario.answer);
        return text.includes(tool) && text.includes(scenario.toolArguments.city);
      });
    return check(isRight, containsText(compared, scenario.answer), found);
  },
  'tool input': (compared) => toolCell(compared, 'input_data', scenario.toolArguments.city),
  'tool output': (compared) => toolCell(compared, 'output_data', scenario.toolResult),
  errors(compared) {
    const { runs, spans, truth } = compared;
    const failed = runs.filter((run) => hasFailed(run, spans));
    const expected = truth.calls.some(({ refused }) => refused) ? 1 : 0;
    return check(
      failed.length === expected,
      spans.some((span) => span.failed) || containsText(compared, scenario.refusal),
      runs.map(({ status, error }) => [status, error]),
    );
  },
  session: onRuns(scenario.session, ({ session_id }) => session_id),
  user: onRuns(scenario.user, ({ user_id }) => user_id),
  tags(compared) {
    const found = compared.runs.map(({ tags }) => tags);
    const isRight = found.length > 0 && found.every((tags) => tags.includes(scenario.tag));
    return check(isRight, containsText(compared, scenario.tag), found);
  },
  once(compared) {
    const { stored, answeredCalls } = compared;
    const isSaid = answeredCalls.some(({ models }) =>
      models.some((model) => containsText(compared, model)),
    );
    return check(stored.length === answeredCalls.length, isSaid, stored.length);
  },
};

/** Whether every stored record has the parent that the client sent, up to a root of its trace. */
function isNested({ runs, spans }: Compared): boolean {
  const sent = new Map(spans.map((span) => [span.spanId, span]));
  const records = runs.flatMap(({ llm_calls, spans: of }) => [...llm_calls, ...of]);
  return (
    records.length > 0 &&
    records.every(({ span_id, parent_span_id }) => {
      const span = span_id === null ? undefined : sent.get(span_id);
      return span !== undefined && (span.parent ?? null) === parent_span_id;
    })
  );
}

/**
 * Whether a run failed because of the rejection. A run whose root span is not exported is still
 * active, and gets the error of its outermost span when it is ended.
 */
function hasFailed(run: ReadRun, spans: readonly ExportedSpan[]): boolean {
  if (run.status === 'error') return unescaped(run.error ?? '').includes(scenario.refusal);
  const hasRoot = spans.some(
    ({ traceId, parent }) => traceId === run.trace_id && parent === undefined,
  );
  return run.status === 'running' && !hasRoot && run.spans.some(({ status }) => status === 'error');
}

/** Compares the input or output of a tool; it counts only if a span of the tool contains it. */
function toolCell(
  compared: Compared,
  side: 'input_data' | 'output_data',
  expected: string,
): string {
  const { runs, spans } = compared;
  const tools = runs.flatMap((run) =>
    run.spans.filter(({ kind, name }) => kind === 'tool' && name.includes(scenario.tool)),
  );
  const found = tools.map((span) => unescaped(JSON.stringify(span[side])));
  const others = aroundCalls(spans);
  const isSaid = spans.some(
    ({ spanId, text }) =>
      !others.has(spanId) && text.includes(scenario.tool) && unescaped(text).includes(expected),
  );
  return check(tools.length === 1 && (found[0] ?? '').includes(expected), isSaid, found);
}

/**
 * The spans of calls, their ancestors, and descendants without a meaning of their own, such as raw
 * requests: all of these repeat conversations.
 */
function aroundCalls(spans: readonly ExportedSpan[]): Set<string> {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const around = new Set<string>();
  for (const span of spans.filter(({ isCall, hasMeaning, parent }) => {
    const isWithin = parent !== undefined && byId.get(parent)?.isCall;
    return isCall || (isWithin && !hasMeaning);
  }))
    for (
      let id: string | undefined = span.spanId;
      id !== undefined && !around.has(id);
      id = byId.get(id)?.parent
    )
      around.add(id);
  return around;
}
