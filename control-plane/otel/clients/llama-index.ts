import type { SpanReader } from './client.ts';

/**
 * Matches methods that make no call: `OpenAI._prepare_chat_with_tools` builds a request,
 * `…get_tool_calls_from_response` reads a response.
 */
const WITHOUT_CALL = /\.(?:_\w+|get_\w+)$/;
/** Matches the agent name in `AgentInput(…, current_agent_name='weather_agent')`. */
const AGENT = /\bcurrent_agent_name='([^']+)'\)$/;

/**
 * OpenInference's spans of LlamaIndex. Every method of a model has the kind LLM, and the name of an
 * agent is only in the event that starts its run, as printed by Python.
 */
export const llamaIndex: SpanReader = {
  isScope: (scope) => scope === 'openinference.instrumentation.llama_index',
  readSpan(span) {
    const { attributes, name } = span;
    if (attributes['openinference.span.kind'] === 'LLM' && WITHOUT_CALL.test(name))
      return 'ignored';
    const output = attributes['output.value'];
    const agent =
      name.endsWith('.init_run') && typeof output === 'string'
        ? AGENT.exec(output)?.[1]
        : undefined;
    return agent === undefined
      ? span
      : { ...span, attributes: { ...attributes, 'gen_ai.agent.name': agent } };
  },
};
