import type { SpanReader } from './client.ts';

/**
 * OpenInference's spans of LiteLLM, which name a model by its route. The route begins with the
 * provider.
 */
export const litellmOpenInference: SpanReader = {
  isScope: (scope) => scope === 'openinference.instrumentation.litellm',
  readSpan(span) {
    const { 'llm.model_name': model, 'llm.provider': provider } = span.attributes;
    if (typeof model !== 'string' || typeof provider !== 'string') return span;
    const prefix = `${provider}/`;
    return model.startsWith(prefix)
      ? {
          ...span,
          attributes: { ...span.attributes, 'llm.model_name': model.slice(prefix.length) },
        }
      : span;
  },
};
