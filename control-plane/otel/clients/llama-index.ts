import type { SpanReader } from './client.ts';

/** `OpenAI._prepare_chat_with_tools` builds a request, `…get_tool_calls_from_response` reads one. */
const WITHOUT_CALL = /\.(?:_\w+|get_\w+)$/;
/** `AgentInput(…, current_agent_name='weather_agent')` */
const AGENT = /\bcurrent_agent_name='([^']+)'\)$/;

/**
 * OpenInference's spans of LlamaIndex: every method of a model is of the kind LLM, and the name of an agent is
 * only in the event that begins its run, as Python prints it.
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
