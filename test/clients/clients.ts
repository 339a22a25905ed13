/** A client of the table: a framework with the instrumentation that exports its spans. */
export interface TestedClient {
  name: string;
  /** The title in the table. */
  title: string;
  /** The packages of PyPI or npm whose versions the table shows. */
  packages: readonly string[];
  language: 'python' | 'node';
  /** A file in `environments/`. */
  environment: string;
  /** A file in `python/` or `node/`. */
  script: string;
  env?: Record<string, string>;
}

const python = (
  environment: string,
  name: string,
  title: string,
  packages: readonly string[],
  more: Partial<TestedClient> = {},
): TestedClient => ({
  name,
  title,
  packages,
  language: 'python',
  environment,
  script: `${name.replaceAll('-', '_')}.py`,
  ...more,
});

const node = (
  name: string,
  title: string,
  packages: readonly string[],
  more: Partial<TestedClient> = {},
): TestedClient => ({
  name: `${name}-js`,
  title: `${title} (JavaScript)`,
  packages,
  language: 'node',
  environment: 'node',
  script: `${name}.mjs`,
  ...more,
});

/** The settings of the official instrumentations. */
const messagesOnSpans = {
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'SPAN_ONLY',
  OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental',
};
const messagesAsEvents = {
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'EVENT_ONLY',
  OTEL_INSTRUMENTATION_GENAI_EMIT_EVENT: 'true',
  OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental',
};

/** Uses the prices in the package instead of the current ones. */
const pricesOfLiteLlm = { LITELLM_LOCAL_MODEL_COST_MAP: 'True' };

/** The clients of the table. */
export const clients: readonly TestedClient[] = [
  python(
    'openai',
    'openai-official',
    'OpenAI, OpenTelemetry’s instrumentation (messages on spans)',
    ['opentelemetry-instrumentation-genai-openai', 'openai'],
    { env: messagesOnSpans },
  ),
  python(
    'openai-v2',
    'openai-official-v2',
    'OpenAI, its older one (messages as log records)',
    ['opentelemetry-instrumentation-openai-v2', 'openai'],
    { env: { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' } },
  ),
  python(
    'openai',
    'anthropic-official',
    'Anthropic, OpenTelemetry’s instrumentation (messages as events)',
    ['opentelemetry-instrumentation-genai-anthropic', 'anthropic'],
    { env: messagesAsEvents },
  ),
  python('openai', 'openai-openinference', 'OpenAI, OpenInference', [
    'openinference-instrumentation-openai',
    'openai',
  ]),
  python('openai', 'anthropic-openinference', 'Anthropic, OpenInference', [
    'openinference-instrumentation-anthropic',
    'anthropic',
  ]),
  python('openai', 'openai-openllmetry', 'OpenAI, OpenLLMetry', [
    'opentelemetry-instrumentation-openai',
    'openai',
  ]),
  python('openai', 'anthropic-openllmetry', 'Anthropic, OpenLLMetry', [
    'opentelemetry-instrumentation-anthropic',
    'anthropic',
  ]),
  python('openai', 'langfuse-openai', 'Langfuse', ['langfuse', 'openai']),
  python('agents', 'openai-agents-openinference', 'OpenAI Agents, OpenInference', [
    'openai-agents',
    'openinference-instrumentation-openai-agents',
  ]),
  python('agents', 'openai-agents-openllmetry', 'OpenAI Agents, OpenLLMetry', [
    'openai-agents',
    'opentelemetry-instrumentation-openai-agents',
  ]),
  python('agents', 'pydantic-ai-native', 'Pydantic AI', ['pydantic-ai-slim']),
  python('agents', 'smolagents-openinference', 'smolagents, OpenInference', [
    'smolagents',
    'openinference-instrumentation-smolagents',
  ]),
  python('strands', 'strands-native', 'Strands', ['strands-agents']),
  python('langchain', 'langchain-openinference', 'LangChain and LangGraph, OpenInference', [
    'langchain',
    'langgraph',
    'openinference-instrumentation-langchain',
  ]),
  python('langchain', 'langchain-openllmetry', 'LangChain and LangGraph, OpenLLMetry', [
    'langchain',
    'langgraph',
    'opentelemetry-instrumentation-langchain',
  ]),
  python('google', 'google-adk-native', 'Google ADK', ['google-adk', 'google-genai'], {
    env: {
      GOOGLE_GENAI_USE_VERTEXAI: 'false',
      ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS: 'true',
      ...messagesOnSpans,
    },
  }),
  python('dspy', 'dspy-openinference', 'DSPy, OpenInference', [
    'dspy',
    'openinference-instrumentation-dspy',
  ]),
  python('haystack', 'haystack-openinference', 'Haystack, OpenInference', [
    'haystack-ai',
    'openinference-instrumentation-haystack',
  ]),
  python('autogen', 'autogen-native', 'AutoGen with OpenLLMetry’s instrumentation of openai', [
    'autogen-agentchat',
    'autogen-ext',
    'opentelemetry-instrumentation-openai',
  ]),
  python('microsoft', 'semantic-kernel-native', 'Semantic Kernel', ['semantic-kernel'], {
    env: {
      SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS: 'true',
      SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE: 'true',
    },
  }),
  python('langchain', 'llama-index-openinference', 'LlamaIndex, OpenInference', [
    'llama-index-core',
    'openinference-instrumentation-llama-index',
  ]),
  python('litellm', 'litellm-native', 'LiteLLM, its own callback', ['litellm'], {
    env: { USE_OTEL_LITELLM_REQUEST_SPAN: 'true', ...pricesOfLiteLlm },
  }),
  python(
    'litellm',
    'litellm-openinference',
    'LiteLLM, OpenInference',
    ['litellm', 'openinference-instrumentation-litellm'],
    { env: pricesOfLiteLlm },
  ),
  python('litellm-proxy', 'litellm-proxy', 'LiteLLM’s proxy', ['litellm'], {
    env: pricesOfLiteLlm,
  }),
  python(
    'crewai',
    'crewai-openinference',
    'CrewAI, OpenInference',
    ['crewai', 'openinference-instrumentation-crewai', 'openinference-instrumentation-openai'],
    { env: { CREWAI_DISABLE_TELEMETRY: 'true', CREWAI_TRACING_ENABLED: 'false' } },
  ),
  python(
    'bedrock',
    'bedrock-botocore',
    'Bedrock, OpenTelemetry’s instrumentation of botocore (messages as log records)',
    ['opentelemetry-instrumentation-botocore', 'boto3'],
    { env: { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' } },
  ),
  python('bedrock', 'bedrock-openinference', 'Bedrock, OpenInference', [
    'openinference-instrumentation-bedrock',
    'boto3',
  ]),
  python('mlflow', 'mlflow-openai', 'MLflow', ['mlflow-tracing', 'openai'], {
    // Receives no requests; without a URL, MLflow would look for a store on disk.
    env: { MLFLOW_TRACKING_URI: 'http://127.0.0.1:9' },
  }),
  python('openlit', 'openlit-openai', 'OpenAI, OpenLIT', ['openlit', 'openai']),
  python(
    'vertex',
    'vertex-official',
    'Vertex AI, OpenTelemetry’s instrumentation of Google’s GenAI client',
    ['opentelemetry-instrumentation-google-genai', 'google-genai'],
    { env: messagesOnSpans },
  ),
  python('vertex', 'vertex-openinference', 'Vertex AI, OpenInference', [
    'openinference-instrumentation-google-genai',
    'google-genai',
  ]),
  node('vercel-ai', 'Vercel AI SDK', ['ai', '@ai-sdk/otel']),
  node('langchain-openinference', 'LangChain and LangGraph, OpenInference', [
    'langchain',
    '@langchain/langgraph',
    '@arizeai/openinference-instrumentation-langchain',
  ]),
  node('langfuse-openai', 'Langfuse', ['@langfuse/openai', '@langfuse/otel', 'openai']),
  node('openai-agents-openinference', 'OpenAI Agents, OpenInference', [
    '@openai/agents',
    '@arizeai/openinference-instrumentation-openai-agents',
  ]),
  node(
    'anthropic-openinference',
    'Anthropic, OpenInference',
    ['@arizeai/openinference-instrumentation-anthropic', '@anthropic-ai/sdk'],
    { environment: 'node-anthropic' },
  ),
  node(
    'anthropic-openllmetry',
    'Anthropic, OpenLLMetry',
    ['@traceloop/instrumentation-anthropic', '@anthropic-ai/sdk'],
    { environment: 'node-anthropic-openllmetry' },
  ),
  node('traceloop-openai', 'OpenAI, OpenLLMetry', ['@traceloop/node-server-sdk', 'openai'], {
    environment: 'node-large',
  }),
  node(
    'openai-official',
    'OpenAI, OpenTelemetry’s instrumentation (messages as log records)',
    ['@opentelemetry/instrumentation-openai', 'openai'],
    {
      environment: 'node-openai',
      env: {
        OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
        OTEL_LOGS_EXPORTER: 'otlp',
      },
    },
  ),
  node('google-adk', 'Google ADK', ['@google/adk'], { environment: 'node-large' }),
  node('mastra', 'Mastra', ['@mastra/core', '@mastra/otel-exporter']),
  node('genkit', 'Genkit', ['genkit', '@genkit-ai/compat-oai'], { environment: 'node-large' }),
  node('strands-native', 'Strands', ['@strands-agents/sdk']),
];

/** The environments that are installed in seconds. */
const environmentsInCi = [
  'openai',
  'openai-v2',
  'node',
  'node-openai',
  'node-anthropic',
  'node-anthropic-openllmetry',
];

/** The clients that CI runs, where there are package indexes. */
export const clientsInCi = clients.filter(({ environment }) =>
  environmentsInCi.includes(environment),
);
