/** Packages of npm, PyPI and crates.io that call language models, or implement agents. */
const modelLibraries = new Set(
  `@ai-sdk/anthropic @ai-sdk/azure @ai-sdk/amazon-bedrock @ai-sdk/google @ai-sdk/groq @ai-sdk/mistral
  @ai-sdk/openai @ai-sdk/openai-compatible @agentclientprotocol/sdk @anthropic-ai/claude-agent-sdk
  @anthropic-ai/claude-code @anthropic-ai/sdk @aws-sdk/client-bedrock-runtime @azure/openai
  @google/gemini-cli-core @google/genai @google/generative-ai @github/copilot-sdk
  @huggingface/inference @huggingface/transformers @langchain/anthropic @langchain/core
  @langchain/google-genai @langchain/langgraph @langchain/ollama @langchain/openai @mariozechner/pi-ai
  @mariozechner/pi-coding-agent @mastra/core @mistralai/mistralai @openai/agents @openai/codex-sdk
  @opencode-ai/sdk @openrouter/ai-sdk-provider @xenova/transformers
  @zed-industries/agent-client-protocol @anthropic-ai/bedrock-sdk @anthropic-ai/vertex-sdk
  @browserbasehq/stagehand @copilotkit/runtime @elevenlabs/elevenlabs-js @fal-ai/client @genkit-ai/core
  @google-cloud/vertexai @google/adk @lmstudio/sdk @opencode-ai/plugin @openrouter/sdk ai
  ai-sdk-ollama chatgpt cohere-ai genkit groq-sdk langchain llamaindex multi-llm-ts node-llama-cpp
  ollama ollama-ai-provider ollama-ai-provider-v2 openai openclaw together-ai

  agno anthropic autogen-agentchat claude-agent-sdk claude-code-sdk cohere crewai ctransformers
  dspy dspy-ai faster-whisper google-adk google-genai google-generativeai groq haystack-ai instructor
  langchain langchain-anthropic langchain-community langchain-core langchain-google-genai
  langchain-ollama langchain-openai langgraph litellm llama-cpp-python llama-index llama-index-core
  aisuite any-llm-sdk ag2 assemblyai browser-use camel-ai cerebras-cloud-sdk dashscope deepagents
  deepgram-sdk elevenlabs exllamav2 fireworks-ai gpt4all guidance llm mem0ai mirascope mlx-vlm
  mlx-whisper ollama-python openrouter outlines pyautogen sglang together volcengine-python-sdk
  whisperx xai-sdk
  mistralai mlx-lm openai-agents openai-whisper pydantic-ai pydantic-ai-slim semantic-kernel
  sentence-transformers smolagents strands-agents vertexai vllm zhipuai

  agent-client-protocol async-anthropic async-openai aws-sdk-bedrockruntime candle-transformers genai
  langchain-rust openai-api-rs swiftide llama-cpp-2 mistralrs ollama-rs rig
  rig-core whisper-rs`.split(/\s+/),
);

/** Go modules for the same purpose; subpackages count too. */
const goModules = [
  'charm.land/fantasy',
  'github.com/anthropics/anthropic-sdk-go',
  'github.com/charmbracelet/fantasy',
  'github.com/cloudwego/eino',
  'github.com/coder/acp-go-sdk',
  'github.com/firebase/genkit',
  'github.com/google/generative-ai-go',
  'github.com/ollama/ollama',
  'github.com/openai/openai-go',
  'github.com/sashabaranov/go-openai',
  'github.com/tmc/langchaingo',
  'google.golang.org/adk',
  'google.golang.org/genai',
];

/** Families of packages, one for each provider of models. */
const modelLibraryFamilies =
  /^(?:@ai-sdk\/(?!provider-utils$|react$|vue$|svelte$)|@langchain\/|@mastra\/|@llamaindex\/|@genkit-ai\/|langchain-(?!text-splitters$)|llama-index-|autogen-|crewai-|strands-agents-|haystack-|langgraph-)/;

const isBelow = (name: string, module: string) => name === module || name.startsWith(`${module}/`);

/** The first dependency that calls language models. */
export const modelLibraryIn = (dependencies: readonly string[]): string | undefined =>
  dependencies.find(
    (name) =>
      modelLibraries.has(name.toLowerCase().replaceAll('_', '-')) ||
      modelLibraryFamilies.test(name.toLowerCase().replaceAll('_', '-')) ||
      goModules.some((module) => isBelow(name, module)),
  );

/** SDKs for MCP. Programs with an MCP server as a minor feature use them too. */
const mcpLibrary =
  /^(?:@modelcontextprotocol\/sdk|mcp|fastmcp|rmcp|rust-mcp-sdk|mcp-use|github\.com\/(?:mark3labs\/mcp-go|modelcontextprotocol\/go-sdk)(?:\/v\d+)?)$/;

/** Libraries that count a model's tokens. */
const tokenizerLibrary =
  /^(?:tiktoken|js-tiktoken|gpt-tokenizer|gpt-3-encoder|tiktoken-rs|github\.com\/(?:pkoukk|tiktoken-go)\/.*)$/;

/** Whether a program uses MCP or counts tokens, which is weaker evidence than calling a model. */
export const usesMcpOrTokenizer = (dependencies: readonly string[]): boolean =>
  dependencies.some((name) => mcpLibrary.test(name) || tokenizerLibrary.test(name));
