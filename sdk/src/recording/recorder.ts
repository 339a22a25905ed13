import type { Settings } from '../config.ts';
import type { BatchKind } from '../delivery/batch.ts';
import type { Reporter } from '../report.ts';
import { maskContent } from './mask.ts';
import {
  decisionSpan,
  failedCallSpan,
  reasoningSpan,
  retrievalSpan,
  retrySpan,
  toolSpan,
} from './spans.ts';
import type { LlmCall, Recorder, Score, Span } from './types.ts';
import { wireCall, wireEvent, wireScore, wireSpan, wireStep } from './wire.ts';

/** Queues one record in wire format. */
export type Enqueue = (kind: BatchKind, item: Readonly<Record<string, unknown>>) => void;

/** Converts records to wire format and passes them to `put`. */
export function createRecorder(
  enqueue: Enqueue,
  span: Recorder['span'],
  settings: Pick<Settings, 'captureContent' | 'mask'>,
  report: Reporter,
): Recorder {
  /**
   * Queues a record. Reading the agent's values may throw; the error is reported and not thrown to
   * the agent.
   */
  function recordSafely(kind: BatchKind, convert: () => Readonly<Record<string, unknown>>): void {
    try {
      enqueue(kind, maskContent(settings.mask, convert()));
    } catch (error) {
      report.problem('invalid', `a record could not be recorded (${kind}): ${String(error)}`);
    }
  }
  const recordCall = (call: LlmCall): void =>
    recordSafely('calls', () => wireCall(call, Date.now(), settings.captureContent));
  const recordSpan = (convert: () => Span): void =>
    recordSafely('spans', () => wireSpan(convert()));
  return {
    span,
    recordCall,
    recordCalls: (calls) => {
      for (const call of Array.isArray(calls) ? (calls as LlmCall[]) : []) recordCall(call);
    },
    recordFailedCall: (call, error) =>
      recordSpan(() => failedCallSpan(call, error, settings.captureContent)),
    recordStep: (name, output) => recordSafely('steps', () => wireStep(name, output)),
    recordSpan: (span) => recordSpan(() => span),
    recordTool: (tool) => recordSpan(() => toolSpan(tool)),
    recordRetrieval: (retrieval) => recordSpan(() => retrievalSpan(retrieval)),
    recordDecision: (decision) => recordSpan(() => decisionSpan(decision)),
    recordReasoning: (reasoning) => recordSpan(() => reasoningSpan(reasoning)),
    recordRetry: (retry) => recordSpan(() => retrySpan(retry)),
    recordScore: (score: Score) => recordSafely('scores', () => wireScore(score)),
    recordEvent: (event) => recordSafely('events', () => wireEvent(event, Date.now())),
  };
}
