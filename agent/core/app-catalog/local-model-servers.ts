import type { LocalModelServer } from './entry.ts';

type Signals = Omit<LocalModelServer, 'id' | 'name' | 'vendor' | 'kind'>;

const server = (id: string, name: string, vendor: string, signals: Signals): LocalModelServer => ({
  id,
  name,
  vendor,
  kind: 'local_model_server',
  ...signals,
});

/** Programs that answer model or agent requests on this machine, with their default ports. */
export const localModelServers: readonly LocalModelServer[] = [
  server('ollama', 'Ollama', 'Ollama', {
    ports: [11434],
    executables: ['ollama'],
    paths: ['/usr/local/bin/ollama', '/usr/bin/ollama', '/opt/homebrew/bin/ollama'],
    parts: ['/ollama/', '/Applications/Ollama.app/Contents/Resources/'],
  }),
  server('lm-studio', 'LM Studio', 'Element Labs', {
    ports: [1234],
    executables: ['LM Studio', 'lm-studio', 'llmster'],
    parts: ['/LM Studio.app/Contents/', '/LM Studio/', '/.lmstudio/', '/LM-Studio/'],
  }),
  server('jan', 'Jan', 'Menlo Research', {
    ports: [1337],
    executables: ['Jan', 'jan', 'cortex-server'],
    parts: ['/Jan.app/Contents/', '/Jan/', '/.cortexcpp/', '/cortexcpp/'],
  }),
  server('gpt4all', 'GPT4All', 'Nomic', {
    ports: [4891],
    executables: ['gpt4all', 'chat'],
    parts: ['/gpt4all/', '/gpt4all.app/Contents/', '/io.gpt4all.gpt4all/'],
  }),
  server('openclaw-gateway', 'OpenClaw gateway', 'OpenClaw', {
    ports: [18789],
    executables: ['openclaw-gateway', 'openclaw'],
    parts: ['/node_modules/openclaw/', '/.openclaw/'],
    scripts: ['openclaw', 'openclaw.mjs', 'clawdbot'],
  }),
  server('llama-cpp', 'llama.cpp server', 'ggml', {
    ports: [8080],
    executables: ['llama-server'],
    parts: ['/llama.cpp/', '/llama-cpp/'],
    scripts: ['llama_cpp.server'],
  }),
  server('llamafile', 'llamafile', 'Mozilla', {
    ports: [8080],
    executables: ['llamafile', 'llamafiler'],
    parts: ['/llamafile/'],
  }),
  server('localai', 'LocalAI', 'LocalAI', {
    ports: [8080],
    executables: ['local-ai'],
    paths: ['/usr/local/bin/local-ai'],
    parts: ['/localai/', '/local-ai/'],
  }),
  server('koboldcpp', 'KoboldCpp', 'LostRuins', {
    ports: [5001],
    executables: ['koboldcpp', 'koboldcpp-linux-x64', 'koboldcpp-mac-arm64'],
    parts: ['/koboldcpp/'],
    scripts: ['koboldcpp.py'],
  }),
  server('vllm', 'vLLM', 'vLLM project', {
    ports: [8000],
    executables: ['vllm'],
    parts: ['/vllm/'],
    scripts: ['vllm', 'vllm.entrypoints.openai.api_server'],
  }),
  server('sglang', 'SGLang', 'SGLang', { ports: [30000], scripts: ['sglang.launch_server'] }),
  server('mlx-lm', 'MLX LM server', 'Apple', {
    ports: [8080],
    scripts: ['mlx_lm.server', 'mlx_lm'],
  }),
  server('text-generation-inference', 'Text Generation Inference', 'Hugging Face', {
    ports: [3000, 8080],
    executables: ['text-generation-launcher', 'text-generation-router'],
    parts: ['/text-generation-inference/'],
  }),
  server('litellm', 'LiteLLM proxy', 'BerriAI', { ports: [4000], scripts: ['litellm'] }),
  server('open-webui', 'Open WebUI', 'Open WebUI', {
    ports: [8080],
    scripts: ['open-webui', 'open_webui.main:app'],
  }),
];
