interface Offer {
  name: string;
  region: string;
}

/** The services at each host, by provider. `*.` matches exactly one label. */
export type HostsByProvider = Record<string, Record<string, string | Offer>>;

/** Creates one host for each region. */
const inRegions = (
  regions: string,
  host: (region: string) => string,
  name: string,
): Record<string, Offer> =>
  Object.fromEntries(
    regions.split(' ').map((region) => [host(region), { name: `${name} (${region})`, region }]),
  );

const BEDROCK_REGIONS =
  'af-south-1 ap-east-2 ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-south-1 ap-south-2 ' +
  'ap-southeast-1 ap-southeast-2 ap-southeast-3 ap-southeast-4 ap-southeast-5 ap-southeast-7 ' +
  'ca-central-1 ca-west-1 eu-central-1 eu-central-2 eu-north-1 eu-south-1 eu-south-2 eu-west-1 ' +
  'eu-west-2 eu-west-3 il-central-1 me-central-1 me-south-1 mx-central-1 sa-east-1 us-east-1 ' +
  'us-east-2 us-gov-east-1 us-gov-west-1 us-west-1 us-west-2';

const VERTEX_REGIONS =
  'asia-east1 asia-east2 asia-northeast1 asia-northeast3 asia-south1 asia-southeast1 ' +
  'australia-southeast1 europe-central2 europe-north1 europe-southwest1 europe-west1 ' +
  'europe-west2 europe-west3 europe-west4 europe-west6 europe-west8 europe-west9 me-central1 ' +
  'me-central2 me-west1 northamerica-northeast1 southamerica-east1 us-central1 us-east1 ' +
  'us-east4 us-east5 us-south1 us-west1 us-west4';

/**
 * Hosts that serve AI and little else. Hosts that also carry a company's mail, documents or source
 * code (github.com, office.com, the Google search page) are excluded, since capture covers a whole
 * host.
 */
export const hostsByProvider: HostsByProvider = {
  OpenAI: {
    'api.openai.com': 'OpenAI API',
    ...inRegions('ae au ca eu gb in jp kr sg us', (r) => `${r}.api.openai.com`, 'OpenAI API'),
    'chatgpt.com': 'ChatGPT',
    'chat.openai.com': 'ChatGPT',
    'sora.com': 'Sora',
    'sora.chatgpt.com': 'Sora',
  },
  Anthropic: {
    'api.anthropic.com': 'Claude API',
    'claude.ai': 'Claude',
    'console.anthropic.com': 'Claude Console',
    'platform.claude.com': 'Claude Console',
  },
  Google: {
    'generativelanguage.googleapis.com': 'Gemini API',
    'gemini.google.com': 'Gemini',
    'aistudio.google.com': 'AI Studio',
    'notebooklm.google.com': 'NotebookLM',
    'cloudcode-pa.googleapis.com': 'Gemini Code Assist',
    'aiplatform.googleapis.com': 'Vertex AI',
    ...inRegions(VERTEX_REGIONS, (r) => `${r}-aiplatform.googleapis.com`, 'Vertex AI'),
  },
  Amazon: {
    ...inRegions(BEDROCK_REGIONS, (r) => `bedrock-runtime.${r}.amazonaws.com`, 'Bedrock'),
    ...inRegions('us-east-1', (r) => `codewhisperer.${r}.amazonaws.com`, 'Amazon Q Developer'),
    ...inRegions('us-east-1 eu-central-1', (r) => `q.${r}.amazonaws.com`, 'Amazon Q Developer'),
  },
  Microsoft: {
    'copilot.microsoft.com': 'Copilot',
    '*.openai.azure.com': 'Azure OpenAI',
    '*.services.ai.azure.com': 'Azure AI Foundry',
    'models.inference.ai.azure.com': 'Azure AI inference',
  },
  GitHub: {
    'api.githubcopilot.com': 'GitHub Copilot',
    'api.individual.githubcopilot.com': 'GitHub Copilot Individual',
    'api.business.githubcopilot.com': 'GitHub Copilot Business',
    'api.enterprise.githubcopilot.com': 'GitHub Copilot Enterprise',
    'proxy.individual.githubcopilot.com': 'GitHub Copilot Individual',
    'proxy.business.githubcopilot.com': 'GitHub Copilot Business',
    'proxy.enterprise.githubcopilot.com': 'GitHub Copilot Enterprise',
    'copilot-proxy.githubusercontent.com': 'GitHub Copilot',
    'models.github.ai': 'GitHub Models',
  },
  Cursor: {
    'api2.cursor.sh': 'Cursor',
    'api3.cursor.sh': 'Cursor Tab',
    'api4.cursor.sh': 'Cursor Tab',
    'api5.cursor.sh': 'Cursor Agent',
    'agent.api5.cursor.sh': 'Cursor Agent',
    'agentn.global.api5.cursor.sh': 'Cursor Agent',
    'repo42.cursor.sh': 'Cursor indexing',
    '*.gcpp.cursor.sh': 'Cursor Tab, regional',
    'api.cursor.com': 'Cursor API',
  },
  Windsurf: {
    'server.codeium.com': 'Windsurf',
    'inference.codeium.com': 'Windsurf',
    'server.self-serve.windsurf.com': 'Windsurf',
  },
  Tabnine: { 'api.tabnine.com': 'Tabnine' },
  Sourcegraph: {
    'cody-gateway.sourcegraph.com': 'Cody',
    'ampcode.com': 'Amp',
  },
  JetBrains: { 'api.jetbrains.ai': 'JetBrains AI' },
  Zed: { 'cloud.zed.dev': 'Zed AI', 'llm.zed.dev': 'Zed AI' },
  Augment: { '*.api.augmentcode.com': 'Augment Code' },
  Cline: { 'api.cline.bot': 'Cline API' },
  Cognition: { 'api.devin.ai': 'Devin API', 'app.devin.ai': 'Devin' },
  Mistral: {
    'api.mistral.ai': 'Mistral API',
    'codestral.mistral.ai': 'Codestral',
    'chat.mistral.ai': 'Le Chat',
  },
  Cohere: {
    'api.cohere.com': 'Cohere API',
    'api.cohere.ai': 'Cohere API',
    'coral.cohere.com': 'Coral',
  },
  Groq: { 'api.groq.com': 'Groq API', 'chat.groq.com': 'GroqChat' },
  xAI: {
    'api.x.ai': 'xAI API',
    ...inRegions('eu-west-1 us-east-1 us-west-2', (r) => `${r}.api.x.ai`, 'xAI API'),
    'grok.com': 'Grok',
    'cli-chat-proxy.grok.com': 'Grok CLI',
  },
  DeepSeek: { 'api.deepseek.com': 'DeepSeek API', 'chat.deepseek.com': 'DeepSeek' },
  Perplexity: {
    'api.perplexity.ai': 'Perplexity API',
    'perplexity.ai': 'Perplexity',
    'www.perplexity.ai': 'Perplexity',
  },
  OpenRouter: {
    'openrouter.ai': 'OpenRouter',
    ...inRegions('eu', (r) => `${r}.openrouter.ai`, 'OpenRouter'),
  },
  Together: {
    'api.together.ai': 'Together API',
    'api.together.xyz': 'Together API',
    'chat.together.ai': 'Together Chat',
  },
  Fireworks: { 'api.fireworks.ai': 'Fireworks API', 'app.fireworks.ai': 'Fireworks' },
  'Hugging Face': {
    'router.huggingface.co': 'Inference Providers',
    'api-inference.huggingface.co': 'Inference API',
  },
  Replicate: { 'api.replicate.com': 'Replicate API' },
  'Character.AI': {
    'character.ai': 'Character.AI',
    'neo.character.ai': 'Character.AI',
    'plus.character.ai': 'Character.AI',
  },
  Quora: { 'poe.com': 'Poe', 'www.poe.com': 'Poe', 'api.poe.com': 'Poe API' },
  Meta: { 'meta.ai': 'Meta AI', 'www.meta.ai': 'Meta AI', 'api.llama.com': 'Llama API' },
  Cerebras: { 'api.cerebras.ai': 'Cerebras API' },
  SambaNova: { 'api.sambanova.ai': 'SambaNova API' },
  DeepInfra: { 'api.deepinfra.com': 'DeepInfra API' },
  Nebius: { 'api.studio.nebius.com': 'Nebius AI Studio' },
  NVIDIA: { 'integrate.api.nvidia.com': 'NVIDIA NIM' },
  AI21: { 'api.ai21.com': 'AI21 API' },
  Moonshot: {
    'api.moonshot.ai': 'Kimi API',
    'api.moonshot.cn': 'Kimi API',
    'www.kimi.com': 'Kimi',
  },
  Alibaba: {
    'dashscope.aliyuncs.com': 'Qwen API',
    'dashscope-intl.aliyuncs.com': 'Qwen API (international)',
    'chat.qwen.ai': 'Qwen Chat',
  },
  'Z.ai': {
    'api.z.ai': 'GLM API',
    'chat.z.ai': 'Z.ai Chat',
    'open.bigmodel.cn': 'GLM API (China)',
  },
  MiniMax: { 'api.minimax.io': 'MiniMax API', 'api.minimaxi.com': 'MiniMax API (China)' },
  'Voyage AI': { 'api.voyageai.com': 'Voyage API' },
  Jina: { 'api.jina.ai': 'Jina API' },
  ElevenLabs: { 'api.elevenlabs.io': 'ElevenLabs API' },
  'Stability AI': { 'api.stability.ai': 'Stability API' },
  Vercel: { 'ai-gateway.vercel.sh': 'AI Gateway', 'v0.app': 'v0', 'api.v0.dev': 'v0 API' },
  Cloudflare: { 'gateway.ai.cloudflare.com': 'AI Gateway' },
  IBM: inRegions(
    'au-syd ca-tor eu-de eu-gb jp-tok us-south',
    (r) => `${r}.ml.cloud.ibm.com`,
    'watsonx.ai',
  ),
  'You.com': { 'you.com': 'You.com' },
  Inflection: { 'pi.ai': 'Pi' },
};
