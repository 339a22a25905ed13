import { agentPhrases, inOtherLanguages, modelPhrases } from './agent-phrases.ts';
import { isObject, valueAt } from './mcp-server.ts';
import { modelLibraryIn, worksBesideModels } from './model-libraries.ts';

/** Words of a text on partition tables, where GPT is a partitioning scheme. */
const partitioning = /\b(?:MBR|\w?fdisk|s?gdisk|g?parted|partition(?:s|ed|ing|er)?|GPT disks?)\b/i;
const partitionTable = /\bGPT\b(?!-?[345o])/g;

/** Adobe Illustrator's format, named with another format or as a file format. */
const drawing =
  /\bAI(?= (?:to|into) (?:PDF|SVG|EPS|PSD|PNG|JPE?G|DXF|CDR)\b| (?:files|format)\b)|(?<=\b(?:PDF|SVG|EPS|PSD|PNG|JPE?G|DXF|CDR) (?:to|into) )AI\b/g;

/** Microchip's converters and controllers: MCP 3008. */
const chip = /\bMCP(?=[ -]\d)/g;

/** A tool for deploying containers. */
const ofAws = /\bAWS Copilot\b/g;

/** Agents of simulations. */
const simulated =
  /\b[Mm]ulti-?[Aa]gent(?= (?:[\w-]+ )?(?:[Mm]odell?ing|[Ss]imulat\w+|[Rr]einforcement|[Pp]ath)\b)/g;

const famousClaude = /\bClaude(?= (?:Monet|Debussy|Shannon|Bernard)\b)/gi;

/** The first name Claude after these words. The product's own names are excluded explicitly. */
const authoredByClaude =
  /(?<=\b(?:[Bb]y|[Ff]rom|[Oo]f) )Claude(?= (?!(?:AI|API|Agents?|Code|Cowork|Desktop|Haiku|Models?|Opus|Pro|Skills?|Sonnet)\b)[A-Z])/g;

/** Removes words that look like AI products but mean something else. */
function withoutLookalikes(text: string): string {
  const plain = partitioning.test(text) ? text.replaceAll(partitionTable, '…') : text;
  return [drawing, chip, ofAws, simulated, famousClaude, authoredByClaude].reduce(
    (rest, lookalike) => rest.replaceAll(lookalike, '…'),
    plain,
  );
}

/**
 * Names and kinds of AI products. Short ones must be in capitals, because `ai` is a word in other
 * languages.
 */
const product =
  /\b(?:agentic|chatgpt|gpt|llms?|openai|anthropic|claude|co-?pilot|ollama|deepseek|openrouter|perplexity|summari[sz]ers?|summari[sz]e|(?:youtube|video|page|article|pdf) summar(?:y|ies)|ghostwriter|humani[sz]er|transcriber|cod(?:e|ing) assistant|notebooklm|midjourney|(?:better|web to|text to|image to) prompts?|prompt (?:anything|enhancer|helper|improver|library|manager|optimi[sz]er|generator|engineer(?:ing)?|template))\b/i;
const abbreviation = /\b(?:AI|LLMs?|\w*GPT(?:-?[345]\w*)?|MCP|KI(?=[- ][A-ZÄÖÜ]))\b/;

const domain = /\w\.ai\b/i;

/** A capitalized `Ai` as a word of its own, or at the end of a name: `Stealth Ai`, `ThreadAi`. */
const suffix = /\bAi\b(?! (?:Weiwei|Fen|Otsuka|Lian))|\S[ -]ai$|[a-zà-ÿ]{2}IA(?![A-Za-z])/;

/** Names that mention AI without being AI: blockers, themes and unrelated products. */
const against =
  /\b(?:(?:no|without|anti|stops?)[- ](?:[\w-]+ )?(?:AI|LLMs?|GPT|ChatGPT|Copilot|Claude|Gemini)|blocks?|blocker|hides?|hider|removes?|remover|disables?|theme|themes|icons?|cursors?|money|gemtext|g?parted|partitions?|disks?|mbr|\w?fdisk|s?gdisk)\b/i;

const foreign = new RegExp(inOtherLanguages.join('|'), 'u');

/** The length of the searched part of a text, which limits the time. */
const MAX_TEXT = 300;

/** Separates joined words: `Usage4Claude`, `WardenAI`. */
const spaced = (name: string): string =>
  name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)/g, ' ');

/** Whether a product's display name says that it is about AI. */
export function namesAi(name: string): boolean {
  const title = name.slice(0, MAX_TEXT);
  const texts = [title, spaced(title)].map(withoutLookalikes);
  const isNamed = texts.some(
    (text) =>
      [product, abbreviation, domain, suffix].some((words) => words.test(text)) ||
      foreign.test(text),
  );
  return isNamed && !against.test(title);
}

/**
 * Whether a bundle id names AI. A bundle id is a reversed domain, and AI companies use the domain
 * of Anguilla.
 */
export const bundleIdNamesAi = (id: string): boolean =>
  /^ai\.[\w-]+\./.test(id) || id.split('.').some(namesAi);

/**
 * Names of AI products. Gemini is also a protocol, Codex an editor, and OpenAI has a gym for
 * robots.
 */
const PRODUCTS =
  "ChatGPT|Claude|OpenAI(?! [Gg]ym)|Anthropic|[Gg]oogle(?:[’']s)? [Gg]emini|Gemini (?:CLI|API|Live|\\d[.\\d]*|AI|[Mm]odels?|Pro|Flash)|Ollama|DeepSeek|Codex(?! Editor)|Copilot|OpenClaw|OpenCode|[Oo]pencode|Hermes [Aa]gent|Kiro|Perplexity|Windsurf|NotebookLM|LM Studio|Stable Diffusion|ComfyUI|Qwen|llama\\.cpp|vLLM|GGUF|(?:AWS|Amazon) Bedrock|AgentCore|Strands Agents?|Langflow|GPT-?[345o]\\w*|Lang(?:Chain|Graph)";
const KINDS = `AI|FastMCP|\\w+GPT|LLMs?|GPT|${PRODUCTS}|MCP|(?:[Ll]arge )?[Ll]anguage [Mm]odels?`;

/** The first letter of these words may be a capital, as in titles. */
const anyCase = (words: string): string =>
  words
    .split(/\s+/)
    .map((word) => `[${word.charAt(0).toUpperCase()}${word.charAt(0)}]${word.slice(1)}`)
    .join('|');

const ofAi = anyCase(
  String.raw`agents? apps? chats? chatbots? coding code pair writing writer assistants? companion copilot
  prompts? conversations? search summari[sz]er voices? notes? edit(?:s|ing|or)? clients? helper
  translat\w+ image models? workflows? tools? toolkit engineers? runtime orchestrat\w+ skills?
  workspace providers? subscriptions? completions? usage integrations? framework launcher generated
  guardrails? governance commits? video security platform services? daemon stack generation coach
  instances kernel flows? interactions control assistance jobs? development extensions? plugins? painting
  applications? systems? pipelines? gateways? prox(?:y|ies) router routing sessions? buddy researcher?
  builder utilities analyst companions? backends? credits? terminal sandbox(?:es)? OS context testing answers? queries servers? infrastructure workloads? reasoning conversations? workforce employees? teammates? coworkers?
  music art avatars? tutors? factor(?:y|ies) ecosystem analysis insights? responses? capabilities APIs? management personalit\w+ teams? projects? memory`,
);
const ofAgents = anyCase(
  String.raw`skills? orchestrat\w+ memory runtime harness workflows? evaluat\w+ gateway router
  observability framework prompts? inference launcher builder fleets? teams? multiplexer orchestration workspaces? sandbox(?:es)? coordination
  trajector\w+ chat development management toolkit`,
);
const ofMcp = anyCase(
  'servers? clients? hosts? bridge proxy gateway tools? inspector registry surface stack plugin extension toolkit integration',
);
const relations = anyCase(
  'with using via through by from in into to between on run runs running local own use uses embeds? ask access calls? queries',
);

/** Phrases with which an AI product describes itself. "Works for people and agents" is not one. */
const aboutItself = new RegExp(
  [
    String.raw`\b(?:AI|LLM|GPT)[- ](?:${anyCase('powered driven native assisted enabled enhanced augmented based backed')})\b`,
    String.raw`\b(?<!\b(?:and|AND|&|or|with|by) )(?:AI|LLMs?|GPT|ChatGPT|[Aa]gentic)(?![- ](?:friendly|edited|written)\b)[- ](?:[\w-]+ )?(?:${ofAi}|CLI|TUI)\b`,
    String.raw`\b(?:${anyCase('autonomous browser coding cognitive multi research terminal voice')})[- ](?:[\w-]+ )?(?:${anyCase('agents? assistants? copilot')})\b`,
    String.raw`\b(?:[Aa]gents?|LLM) (?:${ofAgents})\b`,
    String.raw`\bfor (?:AI|LLM|[Cc]oding) [Aa]gents\b(?! and (?:humans|people))`,
    String.raw`\b(?:MCP|Model Context Protocol)(?: \(MCP\))? (?:\w+ )?(?:${ofMcp})\b`,
    String.raw`\b(?:${relations}) (?:an? |the |your |any |local |cloud |remote |hosted |or |multiple |various |custom )*(?:${KINDS})\b(?! (?:files?|docs)\b)`,
    String.raw`\b(?:for|of) (?:an? |the |your |any |local |Google |Anthropic |GitHub )*(?:AI coding|LLMs?|MCP|Model Context Protocol|${PRODUCTS})\b`,
    String.raw`\b(?:ai|llm|gpt)[- ](?:chat|chatbots?|assistants?|agents?|powered|driven|models?|apps?|tools?|coding|code review)\b`,
    String.raw`\b(?:CLI|browser|tools?|[Bb]uilt|[Dd]esigned|[Mm]ade) for agents\b`,
    String.raw`\b(?:Claude|Codex|Gemini),? (?:and|&|or) (?:Claude|Codex|ChatGPT)\b|\bOllama (?:gateway|clients?|proxy|models?|servers?|frontend|wrapper)\b`,
    String.raw`\b[Tt]ranscribes? (?:audio|calls|meetings|podcasts?|speech|videos?|voice)\b`,
    String.raw`\b(?:A2A|ACP) (?:servers?|clients?|agents?|protocol|adapter|bridge|proxy)\b|\bAgent (?:Client|2Agent) Protocol\b`,
    String.raw`\b(?:CLI|TUI|SDK|API)(?: and| &|,| \+|/)? ?MCP\b|\bMCP (?:\+|and|&) (?:\w+ )?(?:CLI|TUI|SDK|API)\b|\bMCP-to-\w`,
    String.raw`\b[Aa]gents?(?:'s|’s)? tool[- ]calls?\b`,
    String.raw`\b[Aa]gentic\b(?! (?:usage|and)\b)|\b[Aa]gent-(?:first|native|driven|powered)\b`,
    String.raw`\bRAG (?:systems?|workflows?|pipelines?|servers?|chatbots?|building|engines?|apps?|frameworks?)\b|\b(?:with|using) RAG\b`,
    String.raw`\b(?:[Rr]uns?|[Oo]rchestrates?|[Ss]pawns?) (?:multiple |parallel |your )?agents\b`,
    String.raw`\b[Dd]ictation\b|\b(?:[Ss]peech|[Vv]oice)[- ]to[- ][Tt]ext\b|\b(?:[Aa]udio|[Cc]all|[Ll]ive|[Mm]eetings?|[Rr]eal-?time|[Ss]peech|[Vv]ideo|[Vv]oice) [Tt]ranscri(?:ption|ber)\b`,
    ...agentPhrases,
    ...modelPhrases,
    ...inOtherLanguages,
    String.raw`\b(?:VLMs|(?:small|vision|vision-|foundation) ?[Ll]anguage [Mm]odels?)\b|\b(?:llama|whisper)\.cpp\b|\bllama-server\b|\b[Ll]anguage [Mm]odel[- ](?:powered|enabled|driven|based)\b|\bfaster-whisper\b`,
    String.raw`\b(?:with|using|by|via) (?:OpenAI(?:'s)? )?Whisper\b(?! (?:Systems|Labs))|\b(?:OpenAI|MLX) Whisper\b|\bWhisper (?:[Tt]ranscri|[Ss]peech|ASR|models?)`,
    String.raw`\b(?:for|with|by|of|from|via|using) (?:the )?\w[\w-]*\.ai\b`,
    String.raw`\b(?:coding[- ]agents?|code[- ]agents?|vibe[- ]coding|prompt engineering|context engineering)\b`,
    String.raw`\b(?:ChatGPT|OpenAI(?! [Gg]ym)|Lang(?:Chain|Graph)|LLMs?(?!-|\.\w| ?friendly))\b`,
    String.raw`\b(?:Claude (?:Code|AI|CLI|[Dd]esktop|API|agents?|sessions?)|Gemini CLI|Open AI|OpenCode|A\.I\.(?= )|GitHub Copilot|OpenAI Codex|Codex CLI|[Gg]enerative AI)\b`,
    // The first words of a text are its subject. A first name alone is not a product's.
    String.raw`^\W*(?:An? |The |Your |Local |Open[- ]source |[\w-]+ )?(?:AI|LLMs?|GPT|MCP|(?:[Ll]arge )?[Ll]anguage [Mm]odels?)\b`,
  ].join('|'),
  'u',
);

/** Blockers and themes use the same words. */
const againstAi = new RegExp(
  String.raw`\b(?:[Bb]lock(?:s|er|ing)?|[Hh]id(?:es?|er|ing)|[Nn]o|[Ww]ithout|[Rr]emov(?:es?|er|ing)|[Dd]isabl(?:es?|ing)|[Aa]nti|[Ss]tops?|[Dd]etects?)[- ](?:[\w-]+ ){0,2}(?:${KINDS})\b|\b(?:${KINDS})[- ](?:[\w-]+ )?(?:[Bb]locker|[Dd]etector|[Hh]ider|[Rr]emover)\b|\b(?:[Tt]hemes?|[Ii]cons?|[Gg]emtext)\b`,
);

/** Returns the start of a text for the search, with non-breaking hyphens replaced by plain ones. */
const beginningOf = (text: string): string =>
  withoutLookalikes(text.slice(0, MAX_TEXT).replaceAll(/[\u2010\u2011]/g, '-'));

/** Whether a text that starts with a product's name and description says that it is about AI. */
export function describesAi(text: string): boolean {
  const beginning = beginningOf(text);
  return aboutItself.test(beginning) && !againstAi.test(beginning);
}

/** Words by which a sentence about a program shows that it is about AI. */
const sentence = new RegExp(String.raw`\b(?:${KINDS}|coding agents?|generative)\b`);

const keywords = new Set(
  `a2a agent-skills agentic agentic-ai agentic-coding agents ai ai-agent ai-agents ai-assistant ai-chat
  ai-coding ai-coding-assistant ai-memory ai-tools anthropic anthropic-claude artificial-intelligence
  autonomous-agents chat-participant chatbot chatgpt claude claude-ai claude-code claude-code-plugin
  claude-skills code-assistant code-generation-ai codex codex-cli coding-agent coding-agents
  coding-assistant context-engineering copilot cursor-ai deepseek fastmcp gemini gemini-cli genai
  generative-ai github-copilot gpt gpt-4 gpt-4o gpt-5 gpt4 langchain langgraph language-model
  large-language-model large-language-models llama llama-cpp llamacpp llm llm-agent llm-agents
  llm-inference llm-tools llmops llms local-ai local-llm mcp mcp-client mcp-server mcp-servers
  mcp-tools model-context-protocol multi-agent-systems ollama openai openai-compatible openclaw
  opencode openrouter pair-programming-ai prompt-engineering prompt-injection qwen rag
  retrieval-augmented-generation stable-diffusion text-to-image vibe-coding vllm`.split(/\s+/),
);

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const aiKeywords = (value: unknown): number =>
  new Set(
    texts(value)
      .map((word) =>
        word
          .trim()
          .toLowerCase()
          .replaceAll(/[\s_]+/g, '-'),
      )
      .filter((word) => keywords.has(word)),
  ).size;

/** Contributions of an extension to the chat of VS Code, or to its models and servers. */
const chatPoints = [
  'chatParticipants',
  'chatAgents',
  'chatInstructions',
  'chatPromptFiles',
  'chatSkills',
  'languageModelChatProviders',
  'chatSessions',
  'mcpServerDefinitionProviders',
];

/** Tools that an extension offers to the chat. Language extensions have them too. */
const lentPoints = ['languageModelTools', 'languageModelToolSets'];

/**
 * Whether the manifest of a VS Code extension says that it is about AI: by its category, its
 * contributions to the chat, its name, or two signs that mean little alone.
 */
export function vscodeManifestNamesAi(manifest: Readonly<Record<string, unknown>>, title: string) {
  const categories = texts(manifest['categories']);
  if (categories.includes('Themes')) return false;
  return (
    categories.includes('AI') ||
    categories.includes('Chat') ||
    chatPoints.some((point) => isFilled(valueAt(manifest, ['contributes', point]))) ||
    namesAi(title) ||
    describesAi(`${title}: ${text(manifest['description'])}`) ||
    weakSignsIn(manifest, categories) >= 2
  );
}

/** Counts weak signs, such as a tool for the chat or a keyword: many extensions have one of them. */
function weakSignsIn(manifest: Readonly<Record<string, unknown>>, categories: readonly string[]) {
  const description = beginningOf(text(manifest['description']));
  const partners = [
    ...texts(manifest['extensionPack']),
    ...texts(manifest['extensionDependencies']),
  ];
  return (
    aiKeywords(manifest['keywords']) +
    Number(lentPoints.some((point) => isFilled(valueAt(manifest, ['contributes', point])))) +
    Number(categories.includes('Machine Learning')) +
    Number(partners.some((id) => /^github\.copilot(?:-chat)?$/i.test(id))) +
    Number(sentence.test(description) && !againstAi.test(description)) +
    Number(nameParts.test(text(manifest['name'])))
  );
}

const isFilled = (value: unknown) =>
  (Array.isArray(value) && value.length > 0) || (isObject(value) && Object.keys(value).length > 0);

/** A package's description of its program. */
export interface PackageDescription {
  name: string;
  summary: unknown;
  keywords: unknown;
  /** Names of its dependencies. */
  dependencies?: readonly string[];
}

const nameParts =
  /(?:^|[-_./@])(?:ai|genai|gpt|llms?|mcp|claude|codex|copilot|ollama|chatgpt|openai|agentic|sub-?agents?|agents|rag|chatbot|gemini|deepseek|qwen|llama|vibe|hermes|openclaw|opencode|prompts?|langchain|langgraph)(?:$|[-_./])/i;

/** Words that are one with another: `gptme`, `ollaguard`, `codexd`, `agentcrew`. */
const joinedParts =
  /(?:^|[-_./@])(?:gpt|llm|ollama|claude|codex|openai|chatgpt|agent)(?!less)[a-z\d]+|[a-z]{3}(?:gpt|llm|agents?|mcp)(?:$|[-_./])/i;

/** A name that is a phrase itself: an MCP server, an AI translator. MCP is also a line of chips. */
const namePhrase =
  /(?:^|[-_./@])(?:mcp|(?:ai|gpt|llm)[-_.](?:agents?|assistant|chat|cli|code|commit|commits|docs|review|reviewer|tools?|translat\w+|writer))(?:$|[-_./])|(?:^|[-_./@])for[-_.](?:ai|agents?|llms?)(?:$|[-_./])/i;
const chips = /\b(?:adc|dac|gpio|i2c|spi|can bus|converter|expander|microchip|minecraft)\b/i;

/**
 * The lengths of a summary's start that are searched. Its end often lists other uses, or features
 * that the program does without.
 */
const BEGINNINGS = [100, 160];

/**
 * Whether a package says that its program is about AI. A dependency or a whole phrase is
 * sufficient. Single words must occur in two places, because many programs mention agents once, as
 * possible users.
 */
export const packageNamesAi = (description: PackageDescription): boolean =>
  packageShowsAi(description) ||
  BEGINNINGS.some((length) => describesAi(text(description.summary).slice(0, length)));

/** Whether there is evidence besides a phrase in the summary. */
export function packageShowsAi(description: PackageDescription): boolean {
  const { name, keywords: words, dependencies = [] } = description;
  const summary = beginningOf(text(description.summary));
  const signs = [
    namePhrase.test(name) && !chips.test(summary) ? 2 : 0,
    nameParts.test(name) || joinedParts.test(name) ? 1 : 0,
    sentence.test(summary) && !againstAi.test(summary) ? 1 : 0,
    Math.min(2, aiKeywords(words)),
    modelLibraryIn(dependencies) === undefined ? 0 : 2,
    worksBesideModels(dependencies) ? 1 : 0,
  ];
  return signs.reduce<number>((sum, sign) => sum + sign, 0) >= 2;
}

/** Words for assistants in names of Vim plugins. */
const pluginParts =
  /(?:^|[-_.])(?:ai|llms?|mcphub|(?:chat|code)?gpt|chatgpts?|claude(?:code)?|codex|copilot(?:chat)?|ollama|opencode|openai|aider|codeium)(?:$|[-_.])/i;

/** Whether the repository name of a Vim plugin names AI. `mini.ai` is about text objects. */
export const vimPluginNamesAi = (repository: string): boolean => {
  const name = repository.slice(repository.indexOf('/') + 1);
  return pluginParts.test(name) && !/colou?rs?|theme|lualine|^mini\.ai$/i.test(name);
};

/** Whether the first sentences of a plugin's README name AI. */
export const vimReadmeNamesAi = (repository: string, prose: string): boolean =>
  !/colou?rs?|theme|lualine/i.test(repository) && describesAi(prose);
