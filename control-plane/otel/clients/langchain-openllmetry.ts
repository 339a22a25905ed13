import type { Json } from '../attributes.ts';
import { parsed } from '../field.ts';
import { isObject } from '../messages/read-message.ts';
import type { SpanReader } from './client.ts';
import { withPlainValues } from './langchain-values.ts';

/** Matches LangChain's own tags of its steps. */
const OF_STEP = /^(?:seq|graph):step:/;

/**
 * OpenLLMetry's spans of LangChain: their input is the arguments of LangChain's callbacks, which
 * contain the tags of the run. Inputs and outputs of steps and tools are serialized by LangChain.
 */
export const langchainOpenLlmetry: SpanReader = {
  isScope: (scope) => scope === 'opentelemetry.instrumentation.langchain',
  readSpan(span) {
    const input = parsed(span.attributes['traceloop.entity.input']);
    const tags: Json | undefined = isObject(input) ? input.tags : undefined;
    const own = Array.isArray(tags)
      ? tags.filter((tag) => typeof tag === 'string' && !OF_STEP.test(tag))
      : [];
    const isTool = span.attributes['gen_ai.operation.name'] === 'execute_tool';
    const attributes = withPlainValues(span.attributes, isTool);
    return {
      ...span,
      attributes: own.length === 0 ? attributes : { ...attributes, 'tag.tags': own },
    };
  },
};
