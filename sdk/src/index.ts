export type { Options } from './config.ts';
export * from './default-observer.ts';
export { ObserveError, type ProblemCode } from './observe-error.ts';
export type { Observe, ObserveOptions } from './observe-options.ts';
export { createObserver, type Observer } from './observer.ts';
export {
  type PolicyAction,
  type PolicyResult,
  type PolicySubject,
  PolicyViolationError,
} from './policy-result.ts';
export {
  type ChatMessage,
  type Prompt,
  type PromptContent,
  PromptError,
  type PromptQuery,
} from './prompt.ts';
export type * from './recording/types.ts';
export { wrapAnthropic } from './wrap/anthropic.ts';
export type { WrapOptions } from './wrap/options.ts';
export { wrapOpenAI, type WrapOpenAIOptions } from './wrap/openai.ts';
