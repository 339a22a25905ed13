import type { SpanReader } from './client.ts';

const scopes = new Set([
  '@arizeai/openinference-instrumentation-openai-agents',
  'openinference.instrumentation.openai_agents',
]);

/**
 * OpenInference's spans of the OpenAI Agents SDK. The root of a trace has the kind of an agent,
 * although it has the name of the workflow.
 */
export const openAiAgents: SpanReader = {
  isScope: (scope) => scopes.has(scope),
  readSpan(span) {
    const { 'openinference.span.kind': kind, ...attributes } = span.attributes;
    if (kind !== 'AGENT' || span.parent_span_id !== null) return span;
    const workflow = { 'openinference.span.kind': 'CHAIN', 'gen_ai.workflow.name': span.name };
    return { ...span, attributes: { ...attributes, ...workflow } };
  },
};
