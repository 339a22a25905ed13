/** The price table's provider ids, with their other names in clients and conventions. */
const names: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['claude'],
  arcee: ['arcee-ai'],
  avian: [],
  aws: ['amazon', 'bedrock'],
  azure: ['az'],
  baseten: [],
  cerebras: [],
  cloudflare: ['workers-ai'],
  cohere: [],
  cursor: [],
  deepseek: [],
  doubleword: [],
  fireworks: [],
  'github-copilot': ['copilot'],
  google: ['gcp', 'gemini', 'vertex', 'vertexai'],
  groq: [],
  minimax: [],
  mistral: ['mistralai'],
  modal: [],
  moonshotai: ['moonshot'],
  novita: [],
  openai: ['text-completion-openai'],
  openrouter: [],
  ovhcloud: [],
  perplexity: [],
  quicksilverpro: [],
  together: ['togetherai'],
  typesafe: [],
  voyageai: ['voyage'],
  'x-ai': ['xai'],
  zai: ['z-ai'],
  zhipuai: ['zhipu', 'bigmodel'],
};

const huggingFace = [
  ['cerebras', []],
  ['fireworks-ai', ['fireworks']],
  ['groq', []],
  ['hyperbolic', []],
  ['nebius', []],
  ['novita', []],
  ['nscale', []],
  ['ovhcloud', []],
  ['publicai', []],
  ['sambanova', []],
  ['together', []],
] as const;

/** Maps any name of a provider, with its words joined by `-`, to the price table's id. */
export const PROVIDER_NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(names).flatMap(([id, others]) =>
    [id, ...others].map((name): [string, string] => [name, id]),
  ),
  ...huggingFace.flatMap(([host, others]) =>
    [host, ...others].map((name): [string, string] => [
      `huggingface-${name}`,
      `huggingface_${host}`,
    ]),
  ),
]);

/** Matches inference servers that users run themselves. */
export const RUNS_LOCALLY =
  /^(?:ollama|(?:hosted_)?vllm|lm[-_]?studio|llama[-_.]?cpp|llamafile|localai|sglang|xinference|mlx)(?:$|[-_.])/i;
