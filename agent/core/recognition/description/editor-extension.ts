import { isObject, valueAt } from '../mcp-server.ts';
import { isAboutAi } from './about-ai.ts';
import type { Description } from './features.ts';

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
const toolPoints = ['languageModelTools', 'languageModelToolSets'];

/** The log-odds of a sign that other kinds of extensions also have. */
const WEAK_SIGN = 2;

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

const isFilled = (value: unknown): boolean =>
  (Array.isArray(value) && value.length > 0) || (isObject(value) && Object.keys(value).length > 0);

/**
 * Whether a VS Code extension is about AI, according to its manifest: by its category, its
 * contributions to the chat, or its description.
 */
export function vscodeExtensionIsAboutAi(
  manifest: Readonly<Record<string, unknown>>,
  title: string,
): boolean {
  const categories = textsIn(manifest['categories']);
  if (categories.includes('Themes')) return false;
  const contributes = (point: string): boolean =>
    isFilled(valueAt(manifest, ['contributes', point]));
  if (categories.includes('AI') || categories.includes('Chat') || chatPoints.some(contributes))
    return true;
  const partners = ['extensionPack', 'extensionDependencies'].flatMap((key) =>
    textsIn(manifest[key]),
  );
  const weakSigns = [
    toolPoints.some(contributes),
    categories.includes('Machine Learning'),
    partners.some((id) => /^github\.copilot(?:-chat)?$/i.test(id)),
  ].filter(Boolean);
  return isAboutAi(descriptionIn(manifest, title), weakSigns.length * WEAK_SIGN);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const descriptionIn = (
  manifest: Readonly<Record<string, unknown>>,
  title: string,
): Description => ({
  name: `${title} ${textOf(manifest['name'])}`,
  summary: textOf(manifest['description']),
  keywords: textsIn(manifest['keywords']),
});

/**
 * Names that do not mean AI: color schemes are named after what they color, and `mini.ai` is about
 * text objects.
 */
const falsePositiveName = /colou?rs?|theme|lualine|^mini\.ai$/i;

/** Whether a Vim plugin is about AI, by its repository on GitHub or the beginning of its README. */
export function vimPluginIsAboutAi(repository: string, readme = ''): boolean {
  const name = repository.slice(repository.indexOf('/') + 1);
  return !falsePositiveName.test(name) && isAboutAi({ name, summary: readme });
}
