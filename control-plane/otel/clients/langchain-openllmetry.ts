import type { Json } from '../attributes.ts';
import { parsed } from '../field.ts';
import { isObject } from '../messages/read-message.ts';
import type { SpanReader } from './client.ts';

/** Matches LangChain's own tags of its steps. */
const OF_STEP = /^(?:seq|graph):step:/;

/**
 * OpenLLMetry's spans of LangChain: their input is the arguments of LangChain's callbacks, which
 * contain the tags of the run.
 */
export const langchainOpenLlmetry: SpanReader = {
  isScope: (scope) => scope === 'opentelemetry.instrumentation.langchain',
  readSpan(span) {
    const input = parsed(span.attributes['traceloop.entity.input']);
    const tags: Json | undefined = isObject(input) ? input.tags : undefined;
    if (!Array.isArray(tags)) return span;
    const own = tags.filter((tag) => typeof tag === 'string' && !OF_STEP.test(tag));
    return own.length === 0
      ? span
      : { ...span, attributes: { ...span.attributes, 'tag.tags': own } };
  },
};
