import { type LocalModelServer, github } from './entry.ts';

type Signals = Omit<LocalModelServer, 'id' | 'name' | 'vendor' | 'kind'>;

const server = (id: string, name: string, vendor: string, signals: Signals): LocalModelServer => ({
  id,
  name,
  vendor,
  kind: 'local_model_server',
  ...signals,
});

const inferenceServers: LocalModelServer[] = [
  server('ollama', 'Ollama', 'Ollama', {
    source: 'https://docs.ollama.com/faq',
    ports: [11434],
    executables: ['ollama'],
    paths: ['/usr/local/bin/ollama', '/usr/bin/ollama', '/opt/homebrew/bin/ollama'],
    parts: ['/ollama/', '/Applications/Ollama.app/Contents/Resources/'],
  }),
  server('lm-studio', 'LM Studio', 'Element Labs', {
    source: 'https://lmstudio.ai/docs/developer/core/server',
    ports: [1234],
    executables: ['LM Studio', 'lm-studio', 'llmster'],
    parts: ['/LM Studio.app/Contents/', '/LM Studio/', '/.lmstudio/', '/LM-Studio/'],
  }),
  server('jan', 'Jan', 'Menlo Research', {
    source: 'https://www.jan.ai/docs/desktop/api-server',
    ports: [1337, 39281],
    executables: ['cortex-server'],
    commonNames: ['Jan', 'jan'],
    parts: ['/Jan.app/Contents/', '/Jan/', '/.cortexcpp/', '/cortexcpp/'],
  }),
  server('gpt4all', 'GPT4All', 'Nomic', {
    source: 'https://docs.gpt4all.io/gpt4all_api_server/home.html',
    ports: [4891],
    executables: ['gpt4all'],
    commonNames: ['chat'],
    parts: ['/gpt4all/', '/gpt4all.app/Contents/', '/io.gpt4all.gpt4all/'],
  }),
  server('llama-cpp', 'llama.cpp server', 'ggml', {
    source: github('ggml-org/llama.cpp'),
    ports: [8080],
    executables: ['llama-server'],
    parts: ['/llama.cpp/', '/llama-cpp/'],
    scripts: ['llama_cpp.server'],
  }),
  server('llamafile', 'llamafile', 'Mozilla', {
    source: github('mozilla-ai/llamafile'),
    ports: [8080],
    executables: ['llamafile', 'llamafiler'],
    parts: ['/llamafile/'],
  }),
  server('llama-swap', 'llama-swap', 'mostlygeek', {
    source: github('mostlygeek/llama-swap'),
    ports: [8080],
    executables: ['llama-swap'],
    parts: ['/llama-swap/'],
  }),
  server('localai', 'LocalAI', 'LocalAI', {
    source: 'https://localai.io',
    ports: [8080],
    executables: ['local-ai'],
    paths: ['/usr/local/bin/local-ai'],
    parts: ['/localai/', '/local-ai/'],
  }),
  server('koboldcpp', 'KoboldCpp', 'LostRuins', {
    source: github('LostRuins/koboldcpp'),
    ports: [5001],
    executables: [
      'koboldcpp',
      'koboldcpp-linux-x64',
      'koboldcpp-linux-x64-cuda1150',
      'koboldcpp-linux-x64-nocuda',
      'koboldcpp-mac-arm64',
    ],
    parts: ['/koboldcpp/'],
    scripts: ['koboldcpp.py'],
  }),
  server('vllm', 'vLLM', 'vLLM project', {
    source: 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html',
    ports: [8000],
    executables: ['vllm'],
    parts: ['/vllm/'],
    scripts: ['vllm', 'vllm.entrypoints.openai.api_server'],
    packages: ['vllm'],
    serves: ['serve'],
  }),
  server('sglang', 'SGLang', 'SGLang', {
    source: 'https://docs.sglang.ai',
    ports: [30000],
    scripts: ['sglang.launch_server', 'sglang'],
    packages: ['sglang'],
    serves: ['serve'],
  }),
  server('mlx-lm', 'MLX LM server', 'Apple', {
    source: github('ml-explore/mlx-lm'),
    ports: [8080],
    scripts: ['mlx_lm.server', 'mlx_lm'],
    packages: ['mlx-lm'],
  }),
  server('mlx-omni-server', 'MLX Omni Server', 'madroid', {
    source: github('madroidmaq/mlx-omni-server'),
    ports: [10240],
    scripts: ['mlx-omni-server'],
    packages: ['mlx-omni-server'],
  }),
  server('swama', 'Swama', 'Trans-N-ai', {
    source: github('Trans-N-ai/swama'),
    ports: [28100],
    executables: ['swama'],
    parts: ['/Swama.app/Contents/'],
  }),
  server('text-generation-inference', 'Text Generation Inference', 'Hugging Face', {
    source: github('huggingface/text-generation-inference'),
    ports: [80, 3000, 8080],
    executables: ['text-generation-launcher', 'text-generation-router'],
    parts: ['/text-generation-inference/'],
  }),
  server('text-embeddings-inference', 'Text Embeddings Inference', 'Hugging Face', {
    source: github('huggingface/text-embeddings-inference'),
    ports: [80, 3000, 8080],
    executables: ['text-embeddings-router'],
    parts: ['/text-embeddings-inference/'],
  }),
  server('tabby', 'Tabby', 'TabbyML', {
    source: 'https://tabby.tabbyml.com/docs/quick-start/installation/linux/',
    ports: [8080],
    // An unrelated terminal program is called Tabby too.
    commonNames: ['tabby'],
    parts: ['/tabbyml/', '/.tabby/'],
    serves: ['serve'],
  }),
  server('docker-model-runner', 'Docker Model Runner', 'Docker', {
    source: 'https://docs.docker.com/ai/model-runner/',
    ports: [12434],
    executables: [
      'com.docker.backend',
      'com.docker.llama-server',
      'docker-model',
      'docker-model-runner',
    ],
  }),
  server('lemonade', 'Lemonade Server', 'AMD', {
    source: 'https://lemonade-server.ai/docs/',
    ports: [8000, 13305],
    executables: ['lemonade-server', 'lemonade-router'],
    parts: ['/lemonade-server/', '/lemonade_server/'],
    scripts: ['lemonade-server', 'lemonade-server-dev'],
    packages: ['lemonade-sdk'],
    serves: ['serve'],
  }),
  server('ramalama', 'RamaLama', 'Containers', {
    source: github('containers/ramalama'),
    ports: [8080],
    scripts: ['ramalama'],
    packages: ['ramalama'],
    serves: ['serve'],
  }),
  server('xinference', 'Xinference', 'Xorbits', {
    source: 'https://inference.readthedocs.io',
    ports: [9997],
    scripts: ['xinference', 'xinference-local', 'xinference.deploy.cmdline'],
    packages: ['xinference'],
  }),
  server('infinity', 'Infinity', 'Michael Feil', {
    source: github('michaelfeil/infinity'),
    ports: [7997],
    scripts: ['infinity_emb'],
    packages: ['infinity-emb'],
  }),
  server('aphrodite', 'Aphrodite Engine', 'PygmalionAI', {
    source: github('aphrodite-engine/aphrodite-engine'),
    ports: [2242],
    scripts: ['aphrodite', 'aphrodite.endpoints.openai.api_server'],
    packages: ['aphrodite-engine'],
    serves: ['run', 'serve'],
  }),
  server('lmdeploy', 'LMDeploy', 'InternLM', {
    source: 'https://lmdeploy.readthedocs.io',
    ports: [23333],
    scripts: ['lmdeploy'],
    packages: ['lmdeploy'],
    serves: ['serve'],
  }),
  server('mlc-llm', 'MLC LLM', 'MLC', {
    source: 'https://llm.mlc.ai/docs/deploy/rest.html',
    ports: [8000],
    scripts: ['mlc_llm', 'mlc_llm.serve.server'],
    packages: ['mlc-llm'],
    serves: ['serve'],
  }),
  server('mistral-rs', 'mistral.rs', 'Eric Buehler', {
    source: github('EricLBuehler/mistral.rs'),
    ports: [1234, 8080],
    executables: ['mistralrs-server', 'mistralrs'],
  }),
  server('fastchat', 'FastChat', 'LMSYS', {
    source: github('lm-sys/FastChat'),
    ports: [8000, 21001, 21002],
    scripts: [
      'fastchat.serve.controller',
      'fastchat.serve.model_worker',
      'fastchat.serve.openai_api_server',
    ],
    packages: ['fschat'],
  }),
  server('triton', 'Triton Inference Server', 'NVIDIA', {
    source: github('triton-inference-server/server'),
    ports: [8000, 8001, 8002],
    executables: ['tritonserver'],
    parts: ['/tritonserver/'],
  }),
  server('exo', 'exo', 'exo labs', {
    source: github('exo-explore/exo'),
    ports: [52415],
    scripts: ['exo', 'exo.main'],
    packages: ['exo'],
  }),
  server('whisper-server', 'whisper.cpp server', 'ggml', {
    source: github('ggml-org/whisper.cpp'),
    ports: [8080],
    executables: ['whisper-server'],
    parts: ['/whisper.cpp/', '/whisper-cpp/'],
  }),
  server('rapid-mlx-server', 'Rapid-MLX', 'Rapid-MLX', {
    source: 'https://formulae.brew.sh/formula/rapid-mlx',
    ports: [8000],
    scripts: ['rapid-mlx', 'rapid_mlx', 'rapid_mlx.server'],
    packages: ['rapid-mlx'],
    serves: ['serve'],
  }),
  server('shimmy-server', 'Shimmy', 'Michael Kuykendall', {
    source: github('Michael-A-Kuykendall/shimmy'),
    ports: [11435],
    executables: ['shimmy'],
    serves: ['serve'],
  }),
  server('nexa-sdk', 'NexaSDK', 'Nexa AI', {
    source: github('NexaAI/nexa-sdk'),
    ports: [18181],
    executables: ['nexa'],
    serves: ['serve', 'server'],
  }),
  server('osaurus-server', 'Osaurus', 'Dinoki', {
    source: github('dinoki-ai/osaurus'),
    ports: [1337],
    executables: ['osaurus'],
    parts: ['/Osaurus.app/Contents/', '/osaurus.app/Contents/'],
  }),
];

const picturesAndFlows: LocalModelServer[] = [
  server('comfyui', 'ComfyUI', 'Comfy Org', {
    source: 'https://docs.comfy.org',
    ports: [8188, 8000],
    commonNames: ['ComfyUI'],
    parts: ['/ComfyUI.app/Contents/'],
    scriptParts: ['/ComfyUI/main.py', '/comfyui/main.py'],
  }),
  server('stable-diffusion-webui', 'Stable Diffusion web UI', 'AUTOMATIC1111', {
    source: github('AUTOMATIC1111/stable-diffusion-webui'),
    ports: [7860],
    scriptParts: ['/stable-diffusion-webui/launch.py', '/stable-diffusion-webui/webui.py'],
  }),
  server('invokeai', 'InvokeAI', 'Invoke', {
    source: 'https://invoke-ai.github.io/InvokeAI/',
    ports: [9090],
    scripts: ['invokeai-web'],
    packages: ['invokeai'],
  }),
  server('text-generation-webui', 'Text Generation Web UI', 'oobabooga', {
    source: github('oobabooga/text-generation-webui'),
    ports: [7860, 5000],
    scriptParts: ['/text-generation-webui/server.py', '/text-generation-webui-main/server.py'],
  }),
  server('flowise', 'Flowise', 'FlowiseAI', {
    source: 'https://docs.flowiseai.com/getting-started',
    ports: [3000],
    scripts: ['flowise'],
    packages: ['flowise'],
    serves: ['start'],
  }),
  server('n8n', 'n8n', 'n8n', {
    source: 'https://docs.n8n.io/hosting/installation/npm/',
    ports: [5678],
    scripts: ['n8n'],
    packages: ['n8n'],
  }),
  server('langflow', 'Langflow', 'Langflow', {
    source: 'https://docs.langflow.org/get-started-installation',
    ports: [7860],
    scripts: ['langflow', 'langflow.__main__'],
    packages: ['langflow'],
    serves: ['run'],
  }),
  server('autogen-studio', 'AutoGen Studio', 'Microsoft', {
    source: 'https://microsoft.github.io/autogen/stable/user-guide/autogenstudio-user-guide/',
    ports: [8081],
    scripts: ['autogenstudio'],
    packages: ['autogenstudio'],
    serves: ['ui'],
  }),
  server('chainlit', 'Chainlit', 'Chainlit', {
    source: 'https://docs.chainlit.io',
    ports: [8000],
    scripts: ['chainlit'],
    packages: ['chainlit'],
    serves: ['run'],
  }),
  server('mindsdb', 'MindsDB', 'MindsDB', {
    source: 'https://docs.mindsdb.com',
    ports: [47334],
    scripts: ['mindsdb'],
    packages: ['mindsdb'],
  }),
  server('private-gpt', 'PrivateGPT', 'Zylon', {
    source: 'https://docs.privategpt.dev',
    ports: [8001],
    scripts: ['private_gpt'],
  }),
];

const gateways: LocalModelServer[] = [
  server('openclaw-gateway', 'OpenClaw gateway', 'OpenClaw', {
    source: 'https://docs.openclaw.ai/gateway',
    ports: [18789],
    executables: ['openclaw-gateway', 'openclaw'],
    parts: ['/node_modules/openclaw/', '/.openclaw/'],
    scripts: ['openclaw', 'openclaw.mjs', 'clawdbot'],
    packages: ['openclaw', 'clawdbot'],
  }),
  server('litellm', 'LiteLLM proxy', 'BerriAI', {
    source: 'https://docs.litellm.ai/docs/proxy/quick_start',
    ports: [4000],
    scripts: ['litellm', 'litellm.proxy.proxy_cli'],
    packages: ['litellm'],
  }),
  server('open-webui', 'Open WebUI', 'Open WebUI', {
    source: 'https://docs.openwebui.com',
    ports: [8080],
    scripts: ['open-webui', 'open_webui.main:app'],
    packages: ['open-webui'],
    serves: ['serve'],
  }),
  server('cli-proxy-api-server', 'CLIProxyAPI server', 'Router For Me', {
    source: github('router-for-me/CLIProxyAPI'),
    ports: [8317],
    executables: ['cli-proxy-api', 'cliproxyapi'],
  }),
  server('mcp-inspector', 'MCP Inspector', 'Model Context Protocol', {
    source: github('modelcontextprotocol/inspector'),
    ports: [6274, 6277],
    scripts: ['mcp-inspector'],
    packages: ['@modelcontextprotocol/inspector'],
  }),
];

/** Programs that answer model or agent requests on this machine, with their default ports. */
export const localModelServers: readonly LocalModelServer[] = [
  ...inferenceServers,
  ...picturesAndFlows,
  ...gateways,
];
