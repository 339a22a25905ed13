/**
 * The attribute names of each field, in order of precedence: the current GenAI conventions, their
 * older versions, then OpenInference, OpenLLMetry, the Vercel AI SDK, Langfuse, MLflow, Pydantic AI
 * and LiveKit.
 */
export const attributeAliases = {
  kind: [
    'gen_ai.operation.name',
    'openinference.span.kind',
    'traceloop.span.kind',
    'llm.request.type',
    'ai.operationId',
    'mlflow.spanType',
    'langfuse.observation.type',
    'mcp.method.name',
  ],
  provider: [
    'gen_ai.provider.name',
    'gen_ai.system',
    'llm.system',
    'ai.model.provider',
    'llm.provider',
  ],
  model: [
    'gen_ai.response.model',
    'gen_ai.request.model',
    'llm.response.model',
    'llm.response.model_name',
    'llm.model_name',
    'ai.response.model',
    'ai.model.id',
    'embedding.model_name',
    'reranker.model_name',
    'langfuse.observation.model.name',
    'llm.request.model',
    'llm.request.model_name',
  ],
  responseId: ['gen_ai.response.id', 'ai.response.id', 'llm.response.id'],
  tokensIn: [
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.token_count.prompt',
    'ai.usage.promptTokens',
    'ai.usage.inputTokens',
    'ai.usage.tokens',
    'llm.usage.prompt_tokens',
    'llm.usage.input_tokens',
  ],
  tokensOut: [
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.token_count.completion',
    'ai.usage.completionTokens',
    'ai.usage.outputTokens',
    'llm.usage.completion_tokens',
    'llm.usage.output_tokens',
  ],
  cacheRead: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'llm.token_count.prompt_details.cache_read',
    'ai.usage.cachedInputTokens',
    'ai.usage.inputTokenDetails.cacheReadTokens',
    'llm.usage.cache_read_input_tokens',
  ],
  cacheWrite: [
    'gen_ai.usage.cache_write.input_tokens',
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'llm.token_count.prompt_details.cache_write',
    'ai.usage.inputTokenDetails.cacheWriteTokens',
    'llm.usage.cache_creation_input_tokens',
  ],
  // Part of the output tokens.
  reasoning: [
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'gen_ai.usage.details.reasoning_tokens',
    'ai.usage.reasoningTokens',
    'ai.usage.outputTokenDetails.reasoningTokens',
    'llm.token_count.completion_details.reasoning',
    'llm.usage.reasoning_tokens',
  ],
  cost: [
    'gen_ai.usage.cost',
    // From LiteLLM.
    'gen_ai.cost.total_cost',
    'llm.cost.total',
    'operation.cost',
  ],
  // A list, a list as JSON text, or a single text.
  finishReason: [
    'gen_ai.response.finish_reasons',
    // From Semantic Kernel, as printed by Python.
    'gen_ai.response.finish_reason',
    'llm.finish_reason',
    'ai.response.finishReason',
    'ai.finishReason',
    'gen_ai.completion.0.finish_reason',
    'llm.response.finish_reason',
    'llm.response.stop_reason',
    // From Anthropic's own client.
    'anthropic.message.stop_reason',
  ],
  // Clients report this in seconds, in milliseconds, or as a time.
  secondsToFirstToken: [
    'gen_ai.response.time_to_first_chunk',
    'gen_ai.server.time_to_first_token',
    'lk.response.ttft',
  ],
  msToFirstToken: ['ai.response.msToFirstChunk', 'ai.stream.msToFirstChunk'],
  firstTokenAt: ['langfuse.observation.completion_start_time'],
  // JSON objects of numbers.
  usageDetails: ['langfuse.observation.usage_details'],
  costDetails: ['langfuse.observation.cost_details'],
  session: [
    'gen_ai.conversation.id',
    'session.id',
    'langfuse.session.id',
    'ai.telemetry.metadata.sessionId',
    'ai.settings.context.sessionId',
    'traceloop.association.properties.session_id',
  ],
  user: [
    'user.id',
    'enduser.id',
    'langfuse.user.id',
    'ai.telemetry.metadata.userId',
    'ai.settings.context.userId',
    'traceloop.association.properties.user_id',
    'gen_ai.user',
    'llm.user',
    // From GitHub Copilot.
    'user.name',
  ],
  // A list, a list as JSON text, or a single text.
  tags: [
    'tag.tags',
    'langfuse.trace.tags',
    'mastra.tags',
    'ai.telemetry.metadata.tags',
    'ai.settings.context.tags',
    'traceloop.association.properties.tags',
  ],
  agent: ['gen_ai.agent.name', 'agent.name'],
  workflow: ['gen_ai.workflow.name', 'traceloop.workflow.name'],
  entity: ['traceloop.entity.name'],
  function: ['ai.telemetry.functionId'],
  tool: ['gen_ai.tool.name', 'tool.name', 'ai.toolCall.name'],
  toolType: ['gen_ai.tool.type'],
  toolInput: ['gen_ai.tool.call.arguments', 'ai.toolCall.args', 'ai.toolCall.input'],
  toolOutput: ['gen_ai.tool.call.result', 'ai.toolCall.result', 'ai.toolCall.output'],
  query: ['gen_ai.retrieval.query.text', 'gen_ai.memory.query.text', 'reranker.query'],
  documents: ['gen_ai.retrieval.documents', 'gen_ai.memory.records'],
  topK: ['gen_ai.retrieval.top_k', 'reranker.top_k'],
  source: ['gen_ai.data_source.id', 'gen_ai.memory.store.id'],
  input: [
    'input.value',
    'traceloop.entity.input',
    'mlflow.spanInputs',
    'pydantic_ai.all_messages',
    'langfuse.observation.input',
    'lk.input_text',
    'mastra.agent_run.input',
    // For tools only. Some instrumentations store the schema of the parameters here.
    'tool.parameters',
  ],
  output: [
    'output.value',
    'traceloop.entity.output',
    'mlflow.spanOutputs',
    'langfuse.observation.output',
    'lk.response.text',
    'mastra.agent_run.output',
  ],
  promptName: [
    'gen_ai.prompt.name',
    'langfuse.observation.prompt.name',
    'langfuse.prompt.name',
    'traceloop.prompt.key',
  ],
  promptVersion: [
    'gen_ai.prompt.version',
    'langfuse.observation.prompt.version',
    'langfuse.prompt.version',
    'traceloop.prompt.version',
  ],
  promptHash: ['traceloop.prompt.version_hash'],
  service: ['service.name'],
  environment: ['deployment.environment.name', 'deployment.environment'],
  serviceVersion: ['service.version'],
} as const satisfies Record<string, readonly string[]>;

export type Field = keyof typeof attributeAliases;

/** Splits text into words, so that lists of names can be written without quotes. */
export const splitWords = (text: string): string[] => text.trim().split(/\s+/);
