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
export type { Mask } from './recording/mask.ts';
export type * from './recording/types.ts';
export { aiSdkTelemetry, type AiSdkOptions, type AiSdkTelemetry } from './integrations/ai-sdk.ts';
export {
  langChainHandler,
  type LangChainHandler,
  type LangChainOptions,
} from './integrations/langchain.ts';
export { wrapAnthropic } from './wrap/anthropic.ts';
export { wrapBedrock } from './wrap/bedrock.ts';
export { wrapGemini } from './wrap/gemini.ts';
export type { WrapOptions } from './wrap/observe-method.ts';
export { wrapOpenAI, type WrapOpenAIOptions } from './wrap/openai.ts';
