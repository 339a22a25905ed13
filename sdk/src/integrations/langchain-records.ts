import type { LlmCall, RequestedTool } from '../recording/types.ts';
import { field, list, number, previewOf, text } from '../wrap/call-reader.ts';

/** The role and content of the messages to a chat model. */
export const messagesOf = (batches: unknown): unknown[] =>
  list(batches)
    .flatMap((batch) => list(batch))
    .map((message) => ({ role: roleOf(message), content: field(message, 'content') }));

/** The role of a message. Older versions of messages have a method for it, newer ones a field. */
function roleOf(message: unknown): unknown {
  const type = field(message, 'type') ?? field(message, 'role');
  if (typeof type === 'string') return type;
  const getType = field(message, 'getType') ?? field(message, '_getType');
  return typeof getType === 'function' ? (getType.call(message) as unknown) : undefined;
}

/** The name of a class or a configured component. */
export function nameOf(serialized: unknown, runName: unknown): string {
  const path = list(field(serialized, 'id'));
  return text(runName) || text(field(serialized, 'name')) || text(path.at(-1)) || 'chain';
}

/** The configured model. The response may contain a more specific name. */
export function modelOf(serialized: unknown, extraParams: unknown, metadata: unknown): string {
  const parameters = field(extraParams, 'invocation_params');
  return (
    text(field(parameters, 'model')) ||
    text(field(parameters, 'model_name')) ||
    text(field(metadata, 'ls_model_name')) ||
    nameOf(serialized, undefined)
  );
}

/** Creates an LLM call from the result of a model (`LLMResult`). */
export function callOf(result: unknown, model: string, prompt: unknown): LlmCall {
  const generation = field(result, 'generations', 0, 0);
  const message = field(generation, 'message');
  const about = field(message, 'response_metadata');
  const usage = field(message, 'usage_metadata');
  const older = field(result, 'llmOutput', 'tokenUsage');
  const reasoning = field(usage, 'output_token_details', 'reasoning');
  return {
    model: text(field(about, 'model_name')) || text(field(about, 'model')) || model,
    ...optional('provider', field(about, 'model_provider')),
    ...optional('responseId', field(about, 'id') ?? providerId(field(message, 'id'))),
    tokensIn: number(field(usage, 'input_tokens') ?? field(older, 'promptTokens')),
    tokensOut: number(field(usage, 'output_tokens') ?? field(older, 'completionTokens')),
    cacheReadTokens: number(field(usage, 'input_token_details', 'cache_read')),
    cacheWriteTokens: number(field(usage, 'input_token_details', 'cache_creation')),
    ...(typeof reasoning === 'number' && { reasoningTokens: reasoning }),
    ...optional('finishReason', field(about, 'finish_reason') ?? field(about, 'stop_reason')),
    toolCalls: list(field(message, 'tool_calls')).map(toolOf),
    promptPreview: previewOf(prompt),
    responsePreview: textOf(field(message, 'content') ?? field(generation, 'text')),
  };
}

const optional = <Name extends string>(name: Name, value: unknown): { [name in Name]?: string } =>
  (typeof value === 'string' && value ? { [name]: value } : {}) as { [name in Name]?: string };

const toolOf = (tool: unknown): RequestedTool => ({
  ...optional('id', field(tool, 'id')),
  name: text(field(tool, 'name')),
  arguments: field(tool, 'args'),
});

/** The provider's id, or undefined if LangChain has generated the id. */
const providerId = (id: unknown): string | undefined =>
  typeof id === 'string' && !/^(run-|lc_)/.test(id) ? id : undefined;

export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return list(content)
    .map((block) => text(field(block, 'text')))
    .join('');
}

/** Parses the input of a tool, which is JSON. */
export function inputOf(input: string): unknown {
  try {
    return JSON.parse(input) as unknown;
  } catch {
    return input;
  }
}
