import type { Attributes } from './attributes.ts';
import { isContent } from './content-names.ts';
import { unknownKinds } from './interpret.ts';
import { spellings } from './spellings.ts';
import { words } from './words.ts';

const used = new Set<string>(Object.values(spellings).flat());

/**
 * Families of names that say nothing a rule would need: what OpenTelemetry's general conventions
 * name, parameters of requests, and what instrumentations say in other words once more. Names of
 * usage, messages and kinds are not among them: those are the ones whose moving must show.
 */
const known = words(`
    server. client. url. http. network. net. rpc. db. peer. code. thread. process. host. os.
    telemetry. service. deployment. error. exception. otel. messaging. faas. cloud. k8s.
    container. aws. user_agent. jsonrpc. mcp. session. user. enduser. metadata tag.tags
    gen_ai.request. gen_ai.response. gen_ai.tool. gen_ai.agent. gen_ai.client.
    gen_ai.embeddings. gen_ai.retrieval. gen_ai.memory. gen_ai.evaluation. gen_ai.guardrail.
    gen_ai.output.type gen_ai.usage.total_tokens gen_ai.openai. gen_ai.usage.text.
    gen_ai.usage.image. gen_ai.usage.audio. gen_ai.usage.video. gen_ai.execute_tool.duration
    gen_ai.invoke_agent. gen_ai.invoke_workflow.duration llm.invocation_parameters llm.tools.
    llm.prompt_template. llm.function_call llm.token_count.total llm.finish_reason llm.cost.
    llm.request. llm.headers llm.is_streaming llm.top_k llm.chat.stop_sequences
    llm.frequency_penalty llm.presence_penalty llm.usage.total_tokens llm.response.id
    input.mime_type output.mime_type embedding. reranker. document. tool. graph.node.
    ai.settings. ai.telemetry. ai.request. ai.response. ai.result. ai.stream. ai.schema
    ai.prompt. ai.toolCall. ai.usage.totalTokens ai.finishReason ai.model.
    ai.usage.inputTokenDetails.noCacheTokens operation.name resource.name
    ai.usage.outputTokenDetails.textTokens traceloop.association. traceloop.entity.
    traceloop.prompt. mlflow. langfuse. logfire. anthropic. openai. azure.
    model_request_parameters
`);

const isUnderstood = (name: string): boolean =>
  used.has(name) || isContent(name) || known.some((prefix) => name.startsWith(prefix));

/** What of a GenAI span no rule understood: names, with `N` for numbers, and `name = value`. */
export function notUnderstood(attributes: Attributes): string[] {
  const names = Object.keys(attributes).filter((name) => !isUnderstood(name));
  const plain = names.map((name) => name.replaceAll(/(?<=\.)\d+(?=\.|$)/g, 'N'));
  return [...new Set([...plain, ...unknownKinds(attributes)])].map((name) => name.slice(0, 200));
}
