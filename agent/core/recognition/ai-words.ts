import { isObject, valueAt } from './mcp-server.ts';

/** Names of products and of their kind. Of short ones only the capitals count: `ai` is a word elsewhere. */
const product =
  /\b(?:chatgpt|openai|anthropic|claude(?! (?:monet|debussy|shannon))|copilot|ollama|deepseek|openrouter)\b/i;
const abbreviation =
  /\b(?:AI|LLMs?|GPT(?! (?:[Pp]artition|[Dd]isk))(?:-?[345]\w*)?|MCP (?:server|bridge|client|tools?|inspector)s?)\b/;

const domain = /\w\.ai\b/i;

/** Who blocks or hides AI has it in the name as well, and so have looks and unrelated products. */
const against =
  /\b(?:blocks?|blocker|hides?|hider|no|without|removes?|remover|disables?|anti|stops?|theme|themes|icons?|cursors?|money|gemtext)\b/i;

/** Does a product's own name, as people read it, say that it is about AI? */
export const namesAi = (name: string): boolean =>
  (product.test(name) || abbreviation.test(name) || domain.test(name)) && !against.test(name);

/** What a product of AI says of itself; that it works for people and agents as well is no such sign. */
const aboutItself = new RegExp(
  [
    String.raw`\b(?:AI|LLM|GPT)[- ](?:powered|driven|native)\b`,
    String.raw`\b(?:AI|LLMs?|GPT|ChatGPT|coding|browser) (?:\w+ )?(?:chats?|coding|code|pair|writing|writer|assistant|companion|copilot|prompts?|conversations?|search|summari[sz]er|voices?|notes?)\b`,
    String.raw`\bwith (?:your )?(?:AI|LLMs?|ChatGPT|Ollama|Claude)\b`,
    String.raw`\b(?:for|of) (?:ChatGPT|Claude|Ollama)\b`,
    String.raw`\b(?<!\b(?:and|for|or|with|by) )(?:AI|coding) agents?\b`,
  ].join('|'),
);

/** Does a text that begins with a product's name and description say that it is about AI? */
export const describesAi = (text: string): boolean =>
  aboutItself.test(text.slice(0, 300)) && !against.test(text.slice(0, 300));

/** Does a sentence about a program say so? */
const sentence =
  /\b(?:AI|LLMs?|GPT|ChatGPT|MCP|Model Context Protocol|OpenAI|Anthropic|Claude|Codex|Ollama|DeepSeek|(?:large )?language models?|coding agents?|generative)\b/;

const keywords = new Set(
  `agentic agents ai ai-agent ai-agents ai-assistant ai-coding anthropic artificial-intelligence
  chat-participant chatbot chatgpt claude claude-code code-assistant codex coding-agent
  coding-assistant copilot deepseek gemini generative-ai gpt gpt-4 gpt-5 gpt4 language-model llama
  llm llms local-llm mcp mcp-server model-context-protocol ollama openai qwen`.split(/\s+/),
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

/** What an extension adds to the chat of VS Code, or to the models and servers behind it. */
const chatPoints = [
  'chatParticipants',
  'chatAgents',
  'chatInstructions',
  'chatPromptFiles',
  'chatSkills',
  'languageModelChatProviders',
  'mcpServerDefinitionProviders',
];

/**
 * Does the manifest of a VS Code extension say that it is about AI: by its category, by what it adds
 * to the chat, by its name, or by two keywords? A tool that it lends to the chat is no such sign:
 * extensions for languages have them too.
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
    aiKeywords(manifest['keywords']) >= 2
  );
}

const isFilled = (value: unknown) =>
  (Array.isArray(value) && value.length > 0) || (isObject(value) && Object.keys(value).length > 0);

/** What the package of a program says of itself. */
export interface PackageDescription {
  name: string;
  summary: unknown;
  keywords: unknown;
}

const nameParts =
  /(?:^|[-_./@])(?:ai|gpt|llms?|mcp|claude|codex|copilot|ollama|chatgpt|openai)(?:$|[-_./])/i;

/**
 * Does a package say that its program is about AI? Two signs have to agree: many programs name
 * agents in one place only, as those who may use them too.
 */
export function packageNamesAi({ name, summary, keywords: words }: PackageDescription): boolean {
  const signs = [
    nameParts.test(name) ? 1 : 0,
    sentence.test(text(summary)) && !against.test(text(summary)) ? 1 : 0,
    Math.min(2, aiKeywords(words)),
  ];
  return signs.reduce<number>((sum, sign) => sum + sign, 0) >= 2;
}

/** What plugins of Vim are called by, with the words that stand for assistants there. */
const pluginParts =
  /(?:^|[-_.])(?:ai|llms?|mcphub|(?:chat|code)?gpt|chatgpts?|claude(?:code)?|codex|copilot(?:chat)?|ollama|opencode|openai|aider|codeium)(?:$|[-_.])/i;

/** Does the repository of a Vim plugin say so by its name? `mini.ai` is about text objects. */
export const vimPluginNamesAi = (repository: string): boolean => {
  const name = repository.slice(repository.indexOf('/') + 1);
  return pluginParts.test(name) && !/colou?rs?|theme|lualine|^mini\.ai$/i.test(name);
};
