import { printedUsage } from './printed-usage.ts';
import type { SpanReader } from './client.ts';

/**
 * Matches the method in `weather_agent.run` of smolagents and `weather_agent._execute_core` of
 * CrewAI.
 */
const METHOD = /\.(?:run|_execute_core)$/;

const PREFIX = 'openinference.instrumentation.';
const scopes = new Set(['smolagents', 'crewai', 'haystack'].map((name) => PREFIX + name));

/**
 * OpenInference's spans of smolagents, CrewAI and Haystack. The span of an agent has the name of
 * the agent and of its method. Spans of calls have input and output tokens as attributes, but the
 * provider's details of them only in the response, as printed by Python. Attributes of the span
 * take precedence.
 */
export const openInferencePython: SpanReader = {
  isScope: (scope) => scopes.has(scope),
  readSpan(span) {
    const { attributes, name } = span;
    const kind = attributes['openinference.span.kind'];
    if (kind === 'AGENT' && METHOD.test(name)) {
      const agent = { 'gen_ai.agent.name': name.replace(METHOD, '') };
      return { ...span, attributes: { ...agent, ...attributes } };
    }
    return kind === 'LLM'
      ? { ...span, attributes: { ...printedUsage(attributes['output.value']), ...attributes } }
      : span;
  },
};
