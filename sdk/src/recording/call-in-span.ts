import type { CurrentRun } from '../current-run.ts';
import { newSpanId, traceparentOf } from '../trace-context.ts';
import type { OpenSpan, Run, Span, SpanOptions } from './types.ts';

interface SpanCall<T> {
  name: string;
  work: (span: OpenSpan) => T;
  options: SpanOptions | undefined;
}

interface RunContext {
  run: Run;
  traceId: string;
  currentRun: CurrentRun;
  nextPosition: () => number;
}

/** Calls the work inside a span of the run, which is recorded when the work ends. */
export function callInSpan<T>({ name, work, options }: SpanCall<T>, inRun: RunContext): T {
  const { run, traceId, currentRun, nextPosition } = inRun;
  const spanId = newSpanId();
  const parentSpanId = options?.parentSpanId ?? currentRun.spanIn(run);
  const startedAt = Date.now();
  const began = performance.now();
  // The position is taken at the start, because spans are recorded at their ends, inner ones first.
  const position = nextPosition();
  let set: Partial<Span> = {};

  const end = (outcome: { error?: unknown }): void =>
    run.recordSpan({
      name,
      kind: options?.kind ?? 'reasoning',
      input: options?.input,
      spanId,
      ...(parentSpanId !== undefined && { parentSpanId }),
      startedAt,
      durationMs: performance.now() - began,
      position,
      ...('error' in outcome && { status: 'error' }),
      ...set,
      attributes: {
        ...options?.attributes,
        ...('error' in outcome && { error: errorText(outcome.error) }),
        ...set.attributes,
      },
    });
  const complete = <R>(value: R): R => {
    end({});
    return value;
  };
  const fail = (error: unknown): never => {
    end({ error });
    throw error;
  };

  const span: OpenSpan = {
    id: spanId,
    traceparent: traceparentOf(traceId, spanId),
    set: ({ attributes, ...details }) => {
      set = { ...set, ...details, attributes: { ...set.attributes, ...attributes } };
    },
  };
  let value: T;
  try {
    value = currentRun.within(run, () => work(span), spanId);
  } catch (error) {
    return fail(error);
  }
  return isThenable(value) ? (Promise.resolve(value).then(complete, fail) as T) : complete(value);
}

/** The text of an error. Many libraries leave the name of their errors at "Error". */
export const errorText = (error: unknown): unknown =>
  error instanceof Error
    ? `${error.name === 'Error' ? error.constructor.name : error.name}: ${error.message}`
    : error;

export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
