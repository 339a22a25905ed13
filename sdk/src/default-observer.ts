import type { Options } from './config.ts';
import { createObserve } from './observe.ts';
import type { Observe } from './observe-options.ts';
import { observeDependenciesOf, processSingleton } from './observe-parts.ts';
import { createObserver, type Observer } from './observer.ts';

const current = processSingleton<{ observer?: Observer }>('default', () => ({}));

/** The observer of this process, configured by the environment unless `init` was called. */
export const defaultObserver = (): Observer => (current.observer ??= createObserver());

/** Creates the observer of this process. A previous one is flushed and shut down. */
export function init(options: Options = {}): Observer {
  void current.observer?.shutdown();
  current.observer = createObserver(options);
  return current.observer;
}

// The observer is looked up on each call, because modules may capture these functions before `init`
// is called.

export const observe: Observe = createObserve(() => observeDependenciesOf(defaultObserver()));
export const startRun: Observer['startRun'] = (options) => defaultObserver().startRun(options);
export const currentRun: Observer['currentRun'] = () => defaultObserver().currentRun();
export const checkPolicy: Observer['checkPolicy'] = (subject) =>
  defaultObserver().checkPolicy(subject);
export const getPrompt: Observer['getPrompt'] = (name, query) =>
  defaultObserver().getPrompt(name, query);
export const span: Observer['span'] = (name, work, options) =>
  defaultObserver().span(name, work, options);
export const recordCall: Observer['recordCall'] = (call) => defaultObserver().recordCall(call);
export const recordCalls: Observer['recordCalls'] = (calls) => defaultObserver().recordCalls(calls);
export const recordFailedCall: Observer['recordFailedCall'] = (call, error) =>
  defaultObserver().recordFailedCall(call, error);
export const recordStep: Observer['recordStep'] = (name, output) =>
  defaultObserver().recordStep(name, output);
export const recordSpan: Observer['recordSpan'] = (span) => defaultObserver().recordSpan(span);
export const recordTool: Observer['recordTool'] = (tool) => defaultObserver().recordTool(tool);
export const recordRetrieval: Observer['recordRetrieval'] = (retrieval) =>
  defaultObserver().recordRetrieval(retrieval);
export const recordDecision: Observer['recordDecision'] = (decision) =>
  defaultObserver().recordDecision(decision);
export const recordReasoning: Observer['recordReasoning'] = (reasoning) =>
  defaultObserver().recordReasoning(reasoning);
export const recordRetry: Observer['recordRetry'] = (retry) => defaultObserver().recordRetry(retry);
export const recordScore: Observer['recordScore'] = (score) => defaultObserver().recordScore(score);
export const recordEvent: Observer['recordEvent'] = (event) => defaultObserver().recordEvent(event);
export const flush: Observer['flush'] = (options) => defaultObserver().flush(options);
export const shutdown: Observer['shutdown'] = (options) => defaultObserver().shutdown(options);
export const stats: Observer['stats'] = () => defaultObserver().stats();
