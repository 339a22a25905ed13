import type { OtelSpan } from '../span.ts';
import type { SpanReader } from './client.ts';

const openInference = new Set([
  '@arizeai/openinference-instrumentation-openai-agents',
  'openinference.instrumentation.openai_agents',
]);
const OPEN_LLMETRY = 'opentelemetry.instrumentation.openai_agents';

/**
 * OpenInference's and OpenLLMetry's spans of the OpenAI Agents SDK. The root of a trace is the
 * workflow, and its status is OK even if the run failed: the last agent decides. OpenInference's
 * root has the kind of an agent, although it has the name of the workflow.
 */
export const openAiAgents: SpanReader = {
  isScope: (scope) => openInference.has(scope) || scope === OPEN_LLMETRY,
  readSpan(span) {
    const { 'openinference.span.kind': kind, ...attributes } = span.attributes;
    if (kind === 'AGENT' && span.parent_span_id === null) {
      const workflow = { 'openinference.span.kind': 'CHAIN', 'gen_ai.workflow.name': span.name };
      return { ...span, attributes: { ...attributes, ...workflow } };
    }
    const isAgent = kind === 'AGENT' || attributes['traceloop.span.kind'] === 'agent';
    return isAgent ? deciding(span) : span;
  },
};

const deciding = (span: OtelSpan): OtelSpan => ({ ...span, client: { decides: true } });
