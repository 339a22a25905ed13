import { tool, type CommandLineTool, crate, formula, npm, pypi } from './entry.ts';

/** Programs that run, fetch or serve models on this computer. */
export const modelPrograms: readonly CommandLineTool[] = [
  tool('ollama-cli', 'Ollama', 'Ollama', {
    source: formula('ollama'),
    binaries: ['ollama'],
    brew: ['ollama', 'ollama-app'],
    go: ['github.com/ollama/ollama'],
    snaps: ['ollama'],
    installDirs: ['/Applications/Ollama.app/'],
  }),
  tool('lm-studio-cli', 'LM Studio CLI', 'Element Labs', {
    source: 'https://lmstudio.ai/docs/cli',
    binaries: ['lms'],
    installDirs: ['~/.lmstudio/bin/', '~/.cache/lm-studio/bin/'],
  }),
  tool('llama-cpp-cli', 'llama.cpp', 'ggml', {
    source: formula('llama.cpp'),
    binaries: ['llama-cli', 'llama-server', 'llama-run', 'llama-bench', 'llama-quantize'],
    brew: ['llama.cpp'],
    debs: ['llama.cpp'],
  }),
  tool('local-ai', 'LocalAI', 'LocalAI', {
    source: formula('localai'),
    binaries: ['local-ai'],
    brew: ['localai'],
    go: ['github.com/mudler/LocalAI'],
  }),
  tool('mlx-lm-cli', 'MLX LM', 'Apple', {
    source: formula('mlx-lm'),
    binaries: ['mlx_lm.generate', 'mlx_lm.chat', 'mlx_lm.server', 'mlx_lm.lora', 'mlx_lm'],
    brew: ['mlx-lm'],
    pypi: ['mlx-lm'],
  }),
  tool('vllm-cli', 'vLLM', 'vLLM', {
    source: pypi('vllm'),
    binaries: ['vllm'],
    pypi: ['vllm'],
  }),
  tool('sglang-cli', 'SGLang', 'SGLang', {
    source: pypi('sglang'),
    binaries: ['sglang'],
    pypi: ['sglang'],
  }),
  tool('litellm-cli', 'LiteLLM', 'BerriAI', {
    source: pypi('litellm'),
    binaries: ['litellm', 'litellm-proxy'],
    pypi: ['litellm'],
  }),
  tool('open-webui-cli', 'Open WebUI', 'Open WebUI', {
    source: pypi('open-webui'),
    binaries: ['open-webui'],
    pypi: ['open-webui'],
  }),
  tool('ramalama-cli', 'RamaLama', 'containers', {
    source: formula('ramalama'),
    binaries: ['ramalama'],
    pypi: ['ramalama'],
    brew: ['ramalama'],
    debs: ['ramalama'],
  }),
  tool('langflow-cli', 'Langflow', 'Langflow', {
    source: pypi('langflow'),
    binaries: ['langflow'],
    pypi: ['langflow'],
  }),
  tool('flowise-cli', 'Flowise', 'Flowise', {
    source: npm('flowise'),
    binaries: ['flowise'],
    npm: ['flowise'],
  }),
  tool('cortex-local', 'Cortex', 'Menlo Research', {
    source: formula('cortexso'),
    binaries: ['cortexso', 'cortex'],
    npm: ['cortexso'],
    brew: ['cortexso'],
  }),
  tool('rapid-mlx', 'Rapid-MLX', 'Rapid-MLX', {
    source: formula('rapid-mlx'),
    binaries: ['rapid-mlx'],
    brew: ['rapid-mlx'],
    pypi: ['rapid-mlx'],
  }),
  tool('shimmy', 'Shimmy', 'Michael Kuykendall', {
    source: formula('shimmy'),
    binaries: ['shimmy'],
    brew: ['shimmy'],
    cargo: ['shimmy'],
  }),
  tool('gollama', 'gollama', 'Sam McLeod', {
    source: formula('gollama'),
    binaries: ['gollama'],
    brew: ['gollama'],
    go: ['github.com/sammcj/gollama'],
  }),
  tool('draw-things-cli', 'Draw Things CLI', 'Draw Things', {
    source: formula('draw-things-cli'),
    binaries: ['draw-things-cli'],
    brew: ['draw-things-cli'],
  }),
  tool('whisperkit-cli', 'WhisperKit CLI', 'Argmax', {
    source: formula('whisperkit-cli'),
    binaries: ['whisperkit-cli'],
    brew: ['whisperkit-cli'],
  }),
  tool('whisperx', 'WhisperX', 'Max Bain', {
    source: pypi('whisperx'),
    binaries: ['whisperx'],
    pypi: ['whisperx'],
  }),
  tool('whisper-ctranslate2', 'whisper-ctranslate2', 'Jordi Mas', {
    source: pypi('whisper-ctranslate2'),
    binaries: ['whisper-ctranslate2'],
    pypi: ['whisper-ctranslate2'],
  }),
  tool('comfy-cli', 'Comfy CLI', 'Comfy Org', {
    source: pypi('comfy-cli'),
    binaries: ['comfy', 'comfy-cli', 'comfycli'],
    pypi: ['comfy-cli'],
  }),
  tool('invokeai-web', 'InvokeAI', 'Invoke', {
    source: pypi('invokeai'),
    binaries: ['invokeai-web'],
    pypi: ['invokeai'],
  }),
  tool('xinference-cli', 'Xinference', 'Xorbits', {
    source: pypi('xinference'),
    binaries: ['xinference', 'xinference-local'],
    pypi: ['xinference'],
  }),
  tool('lmdeploy-cli', 'LMDeploy', 'InternLM', {
    source: pypi('lmdeploy'),
    binaries: ['lmdeploy'],
    pypi: ['lmdeploy'],
  }),
  tool('text-embeddings-router', 'Text Embeddings Inference', 'Hugging Face', {
    source: formula('text-embeddings-inference'),
    binaries: ['text-embeddings-router'],
    brew: ['text-embeddings-inference'],
  }),
  tool('mistralrs-cli', 'mistral.rs', 'Eric Buehler', {
    source: crate('mistralrs-server'),
    binaries: ['mistralrs-server'],
    cargo: ['mistralrs-server'],
  }),
  tool('screenpipe', 'screenpipe', 'Mediar', {
    source: formula('screenpipe'),
    binaries: ['screenpipe'],
    brew: ['screenpipe'],
    npm: ['screenpipe'],
  }),
  tool('models-tui', 'models', 'Arimxyer', {
    source: formula('models'),
    binaries: ['models'],
    brew: ['models'],
  }),
  tool('replicate-cog', 'Cog', 'Replicate', {
    source: formula('cog'),
    binaries: ['cog'],
    brew: ['cog'],
    go: ['github.com/replicate/cog'],
  }),
  tool('replicate-cli', 'Replicate CLI', 'Replicate', {
    source: formula('replicate'),
    binaries: ['replicate'],
    brew: ['replicate'],
    go: ['github.com/replicate/cli'],
  }),
  tool('mlx-vlm', 'MLX-VLM', 'Prince Canuma', {
    source: pypi('mlx-vlm'),
    binaries: ['mlx_vlm.generate', 'mlx_vlm.chat', 'mlx_vlm.server'],
    pypi: ['mlx-vlm'],
  }),
];
