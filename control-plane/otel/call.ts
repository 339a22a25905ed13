import { responseIdOf } from '../recording/response-id.ts';
import { fieldOf, textOf, wholeNumberOf } from './field.ts';
import type { Meaning } from './interpret.ts';
import { preview } from './messages/message.ts';
import { promptOf } from './messages/prompt.ts';
import { responseOf } from './messages/response.ts';
import type { OtelSpan } from './span.ts';
import { costOf, usageOf } from './usage.ts';

const MAX_ID_LENGTH = 10_000;

export type MappedCall = ReturnType<typeof callOf>;

/** Maps a span to an LLM call. The cost is null unless the span states it. */
export function callOf(span: OtelSpan, meaning: Meaning) {
  const { attributes } = span;
  return {
    created_at: span.ended_at,
    duration_ms: span.ended_at - span.started_at,
    model: textOf(attributes, 'model') ?? 'unknown',
    provider: providerOf(span),
    task: textOf(attributes, 'promptName') ?? taskOf(span, meaning),
    ...usageOf(span),
    cost: costOf(attributes),
    prompt: promptReferenceOf(span),
    prompt_preview: preview(promptOf(span), 'user'),
    response_preview: preview(responseOf(span), 'assistant'),
    response_id: responseIdOf(textOf(attributes, 'responseId', MAX_ID_LENGTH)),
  };
}

/** The Vercel AI SDK writes `openai.chat`, which is a part of `openai`. */
function providerOf({ attributes }: OtelSpan): string | null {
  const provider = textOf(attributes, 'provider')?.toLowerCase();
  if (provider === undefined) return null;
  return 'ai.model.provider' in attributes && provider === attributes['ai.model.provider']
    ? (provider.split('.')[0] as string)
    : provider;
}

function taskOf({ attributes }: OtelSpan, meaning: Meaning): string {
  const operation = attributes['gen_ai.operation.name'];
  if (typeof operation === 'string' && operation !== '') return operation.slice(0, 200);
  return meaning === 'embedding' ? 'embeddings' : 'chat';
}

/** The managed prompt that a call refers to. */
export interface PromptReference {
  hash?: string;
  name?: string;
  version?: number;
}

export function promptReferenceOf({ attributes }: OtelSpan): PromptReference {
  const hash = fieldOf(attributes, 'promptHash');
  const name = textOf(attributes, 'promptName');
  const version = wholeNumberOf(attributes, 'promptVersion');
  if (typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash)) return { hash };
  return name !== undefined && version !== undefined ? { name, version } : {};
}
