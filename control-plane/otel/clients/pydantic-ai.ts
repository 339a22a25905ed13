import type { SpanReader } from './client.ts';

/** Pydantic AI. The span of an agent has its result: the text, or JSON for a structured one. */
export const pydanticAi: SpanReader = {
  isScope: (scope) => scope === 'pydantic-ai',
  readSpan(span) {
    const { final_result: result, ...attributes } = span.attributes;
    return result === undefined
      ? span
      : { ...span, attributes: { ...attributes, 'output.value': result } };
  },
};
