import type { Settings } from '../config.ts';
import type { Kind } from '../delivery/batch.ts';
import type { Reporter } from '../report.ts';
import { decisionSpan, reasoningSpan, retrievalSpan, retrySpan, toolSpan } from './spans.ts';
import type { LlmCall, Recorder, Score, Span } from './types.ts';
import { wireCall, wireEvent, wireScore, wireSpan, wireStep } from './wire.ts';

/** Takes one record, in the form of the wire. */
export type Put = (kind: Kind, item: Readonly<Record<string, unknown>>) => void;

/** All that can be recorded, made into the form of the wire and put where `put` says. */
export function createRecorder(
  put: Put,
  settings: Pick<Settings, 'captureContent'>,
  report: Reporter,
): Recorder {
  /** What an agent hands in may throw when it is looked at; that must not reach the agent. */
  function attempt(kind: Kind, form: () => Readonly<Record<string, unknown>>): void {
    try {
      put(kind, form());
    } catch (error) {
      report.problem('invalid', `one of ${kind} could not be recorded: ${String(error)}`);
    }
  }
  const recordCall = (call: LlmCall): void =>
    attempt('calls', () => wireCall(call, Date.now(), settings.captureContent));
  const recordSpan = (form: () => Span): void => attempt('spans', () => wireSpan(form()));
  return {
    recordCall,
    recordCalls: (calls) => {
      for (const call of Array.isArray(calls) ? (calls as LlmCall[]) : []) recordCall(call);
    },
    recordStep: (name, output) => attempt('steps', () => wireStep(name, output)),
    recordSpan: (span) => recordSpan(() => span),
    recordTool: (tool) => recordSpan(() => toolSpan(tool)),
    recordRetrieval: (retrieval) => recordSpan(() => retrievalSpan(retrieval)),
    recordDecision: (decision) => recordSpan(() => decisionSpan(decision)),
    recordReasoning: (reasoning) => recordSpan(() => reasoningSpan(reasoning)),
    recordRetry: (retry) => recordSpan(() => retrySpan(retry)),
    recordScore: (score: Score) => attempt('scores', () => wireScore(score)),
    recordEvent: (event) => attempt('events', () => wireEvent(event, Date.now())),
  };
}
