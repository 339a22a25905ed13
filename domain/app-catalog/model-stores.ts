import type { ModelStore } from './loaded-entry.ts';

const store = (
  id: string,
  [name, vendor, source]: readonly [name: string, vendor: string, source: string],
  fields: Pick<ModelStore, 'tool' | 'layout' | 'home' | 'system'>,
): ModelStore => ({
  id,
  name: `${name} models`,
  vendor,
  kind: 'local_model',
  source,
  ...fields,
});

const weights = ['gguf', 'safetensors', 'bin'];
const filesIn = (dirs: readonly string[], suffixes: readonly string[] = ['gguf']) =>
  dirs.flatMap((dir) => suffixes.map((suffix) => `${dir}/*.${suffix}`));

/** Folders in which programs keep models. */
export const modelStores: readonly ModelStore[] = [
  store('ollama-models', ['Ollama', 'Ollama', 'https://docs.ollama.com/faq'], {
    tool: 'ollama',
    layout: 'ollama',
    home: ['.ollama/models', 'snap/ollama/common/models'],
    system: [
      '/usr/share/ollama/.ollama/models',
      '/var/lib/ollama/models',
      '/var/lib/ollama/.ollama/models',
      '/var/snap/ollama/common/models',
    ],
  }),
  store(
    'lm-studio-models',
    ['LM Studio', 'Element Labs', 'https://lmstudio.ai/docs/app/advanced'],
    {
      tool: 'lm-studio',
      layout: 'folders',
      home: ['.lmstudio/models/*/*', '.cache/lm-studio/models/*/*'],
    },
  ),
  store(
    'hugging-face-models',
    [
      'Hugging Face hub',
      'Hugging Face',
      'https://huggingface.co/docs/huggingface_hub/guides/manage-cache',
    ],
    { tool: null, layout: 'hugging-face', home: ['.cache/huggingface/hub'] },
  ),
  store('llama-cpp-models', ['llama.cpp', 'ggml', 'https://github.com/ggml-org/llama.cpp'], {
    tool: 'llama-cpp',
    layout: 'files',
    home: filesIn([
      '.cache/llama.cpp',
      'Library/Caches/llama.cpp',
      'llama.cpp/models',
      'models',
      'Models',
    ]),
  }),
  store(
    'gpt4all-models',
    ['GPT4All', 'Nomic', 'https://docs.gpt4all.io/gpt4all_desktop/settings.html'],
    {
      tool: 'gpt4all',
      layout: 'files',
      home: filesIn([
        'Library/Application Support/nomic.ai/GPT4All',
        '.local/share/nomic.ai/GPT4All',
        '.cache/gpt4all',
      ]),
    },
  ),
  store('jan-models', ['Jan', 'Menlo Research', 'https://jan.ai/docs/data-folder'], {
    tool: 'jan',
    layout: 'folders',
    home: [
      ...['Library/Application Support', '.config', '.local/share'].flatMap((dir) => [
        `${dir}/Jan/data/llamacpp/models/*`,
        `${dir}/Jan/data/llamacpp/models/*/*`,
        `${dir}/Jan/data/mlx/models/*`,
        `${dir}/Jan/data/models/*`,
        `${dir}/Jan/data/models/*/*/*`,
      ]),
      'jan/models/*',
      'cortexcpp/models/*/*/*',
    ],
  }),
  store('mlx-models', ['MLX', 'Apple', 'https://github.com/ml-explore/mlx-lm'], {
    tool: 'mlx-lm',
    layout: 'folders',
    home: ['mlx_models/*', '.cache/mlx-community/*', '.mlx/models/*'],
  }),
  store(
    'docker-models',
    ['Docker Model Runner', 'Docker', 'https://docs.docker.com/ai/model-runner'],
    {
      tool: 'docker-model-runner',
      layout: 'docker',
      home: ['.docker/models'],
      system: ['/var/lib/docker/volumes/docker-model-runner-models/_data'],
    },
  ),
  store(
    'anythingllm-models',
    [
      'AnythingLLM',
      'Mintplex Labs',
      'https://docs.anythingllm.com/setup/llm-configuration/local/built-in',
    ],
    {
      tool: 'anythingllm',
      layout: 'ollama',
      home: ['{app-data}/anythingllm-desktop/storage/models/ollama'],
    },
  ),
  store('msty-models', ['Msty', 'CloudStack', 'https://docs.msty.app'], {
    tool: 'msty',
    layout: 'ollama',
    home: ['{app-data}/Msty/models', '{app-data}/MstyStudio/models-ollama'],
  }),
  store('localai-models', ['LocalAI', 'LocalAI', 'https://localai.io/docs'], {
    tool: 'localai',
    layout: 'files',
    home: filesIn(['.localai/models', 'localai/models'], weights),
    system: filesIn(['/usr/share/local-ai/models', '/var/lib/local-ai/models'], weights),
  }),
  store('whisper-models', ['Whisper', 'OpenAI', 'https://github.com/openai/whisper'], {
    tool: null,
    layout: 'files',
    home: filesIn(['.cache/whisper'], ['pt']),
  }),
  store('whisper-cpp-models', ['whisper.cpp', 'ggml', 'https://github.com/ggml-org/whisper.cpp'], {
    tool: null,
    layout: 'files',
    home: filesIn(
      [
        'whisper.cpp/models',
        '.cache/whisper.cpp',
        'Library/Application Support/MacWhisper/models',
        'Library/Application Support/superwhisper',
      ],
      ['bin'],
    ),
  }),
  store(
    'foundry-local-models',
    ['Foundry Local', 'Microsoft', 'https://learn.microsoft.com/azure/foundry-local'],
    {
      tool: null,
      layout: 'folders',
      home: ['.foundry/cache/models/*/*/*', '.foundry/cache/models/*/*', '.foundry/cache/models/*'],
    },
  ),
  store(
    'stable-diffusion-webui-models',
    [
      'Stable Diffusion web UI',
      'AUTOMATIC1111',
      'https://github.com/AUTOMATIC1111/stable-diffusion-webui',
    ],
    {
      tool: 'stable-diffusion-webui',
      layout: 'files',
      home: ['stable-diffusion-webui', 'stable-diffusion-webui-forge'].flatMap((dir) =>
        filesIn([`${dir}/models/Stable-diffusion`], ['safetensors', 'ckpt', 'gguf']),
      ),
    },
  ),
  store('fooocus-models', ['Fooocus', 'lllyasviel', 'https://github.com/lllyasviel/Fooocus'], {
    tool: 'fooocus',
    layout: 'files',
    home: filesIn(['Fooocus/models/checkpoints'], ['safetensors']),
  }),
  store('invokeai-model-files', ['InvokeAI', 'Invoke', 'https://invoke-ai.github.io/InvokeAI'], {
    tool: 'invokeai',
    layout: 'files',
    home: filesIn(['invokeai/models/*/main'], ['safetensors', 'ckpt', 'gguf']),
  }),
  store(
    'stability-matrix-models',
    ['Stability Matrix', 'Lykos AI', 'https://github.com/LykosAI/StabilityMatrix'],
    {
      tool: 'stability-matrix',
      layout: 'files',
      home: [
        'StabilityMatrix',
        '{app-data}/StabilityMatrix',
        '.local/share/StabilityMatrix',
      ].flatMap((dir) =>
        filesIn([`${dir}/Models/StableDiffusion`], ['safetensors', 'ckpt', 'gguf']),
      ),
    },
  ),
  store(
    'comfyui-models',
    ['ComfyUI', 'Comfy Org', 'https://docs.comfy.org/development/core-concepts/models'],
    {
      tool: 'comfyui',
      layout: 'files',
      home: ['ComfyUI/models', 'Documents/ComfyUI/models'].flatMap((dir) =>
        filesIn(
          [`${dir}/checkpoints`, `${dir}/diffusion_models`, `${dir}/unet`],
          ['safetensors', 'gguf', 'ckpt'],
        ),
      ),
    },
  ),
  store(
    'text-generation-webui-models',
    ['Text generation web UI', 'oobabooga', 'https://github.com/oobabooga/text-generation-webui'],
    {
      tool: null,
      layout: 'files',
      home: filesIn(['text-generation-webui/models', 'text-generation-webui/user_data/models']),
    },
  ),
  store('nexa-models', ['Nexa SDK', 'Nexa AI', 'https://docs.nexa.ai'], {
    tool: null,
    layout: 'folders',
    home: ['.cache/nexa.ai/nexa_sdk/models/*/*'],
  }),
  store('llamafile-models', ['llamafile', 'Mozilla', 'https://github.com/mozilla-ai/llamafile'], {
    tool: 'llamafile',
    layout: 'files',
    home: ['*.llamafile', 'bin/*.llamafile', '.local/bin/*.llamafile', 'models/*.llamafile'],
  }),
  store('modelscope-models', ['ModelScope', 'Alibaba', 'https://www.modelscope.cn/docs'], {
    tool: null,
    layout: 'folders',
    home: ['.cache/modelscope/hub/models/*/*', '.cache/modelscope/hub/*/*'],
  }),
];
