import type { OtelSpan } from '../span.ts';
import type { SpanReader } from './client.ts';

/** `weather_agent.run` of smolagents, `weather_agent._execute_core` of CrewAI. */
const METHOD = /\.(?:run|_execute_core)$/;
/** As Python prints objects and dictionaries. */
const CACHED = /\bcached_tokens['"]?\s*[=:]\s*(\d+)/;
const REASONING = /\breasoning_tokens['"]?\s*[=:]\s*(\d+)/;

const PREFIX = 'openinference.instrumentation.';
const scopes = new Set(['smolagents', 'crewai', 'haystack'].map((name) => PREFIX + name));

/**
 * OpenInference's spans of smolagents, CrewAI and Haystack: an agent's span has the name of the agent and of
 * its method. Spans of calls have input and output tokens as attributes, but the provider's details
 * of them only in the response, as Python prints it.
 */
export const openInferencePython: SpanReader = {
  isScope: (scope) => scopes.has(scope),
  readSpan(span) {
    const kind = span.attributes['openinference.span.kind'];
    if (kind === 'AGENT' && METHOD.test(span.name))
      return withAttributes(span, { 'gen_ai.agent.name': span.name.replace(METHOD, '') });
    const output = span.attributes['output.value'];
    return kind === 'LLM' && typeof output === 'string'
      ? withAttributes(span, {
          'llm.token_count.prompt_details.cache_read': CACHED.exec(output)?.[1],
          'llm.token_count.completion_details.reasoning': REASONING.exec(output)?.[1],
        })
      : span;
  },
};

/** What the span says itself counts. */
function withAttributes(span: OtelSpan, more: Record<string, string | undefined>): OtelSpan {
  const present = Object.entries(more).filter((entry): entry is [string, string] => !!entry[1]);
  return { ...span, attributes: { ...Object.fromEntries(present), ...span.attributes } };
}
