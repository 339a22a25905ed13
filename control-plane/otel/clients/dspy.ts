import type { SpanReader } from './client.ts';

/** Matches the method in the span of a tool, such as `get_weather.__call__`. */
const METHOD = /\.(?:__call__|acall)$/;

/** OpenInference's spans of DSPy. The name of a tool is only in that of its span. */
export const dspy: SpanReader = {
  isScope: (scope) => scope === 'openinference.instrumentation.dspy',
  readSpan(span) {
    const { attributes, name } = span;
    if (attributes['openinference.span.kind'] !== 'TOOL') return span;
    const tool = { 'gen_ai.tool.name': name.replace(METHOD, '') };
    return { ...span, attributes: { ...tool, ...attributes } };
  },
};
