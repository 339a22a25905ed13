import type { PromptContent } from './prompt-content.ts';

export interface CompiledPrompt<C extends PromptContent = PromptContent> {
  content: C;
  /** Variables that the template names and nobody gave: their placeholders are left as they are. */
  missing_variables: string[];
}

type Variables = Readonly<Record<string, unknown>>;

/** The members of messages and their parts that hold what is said. */
const PROSE: ReadonlySet<string> = new Set(['content', 'text']);
const PLACEHOLDER = /\{\{\s*([^\s{}]+)\s*\}\}/g;

/**
 * Puts variables in the place of `{{ name }}` in a text, or in the content of every chat message.
 * Strings are put in as they are, other values as JSON. What was put in is not looked at again.
 */
export function compilePrompt<C extends PromptContent>(
  content: C,
  variables: Variables = {},
): CompiledPrompt<C> {
  const missing = new Set<string>();
  const filled = mapTexts(content, (text) =>
    text.replace(PLACEHOLDER, (placeholder, name: string) => {
      const value = valueOf(variables, name);
      if (value === undefined) missing.add(name);
      return value === undefined ? placeholder : asText(value);
    }),
  );
  return { content: filled, missing_variables: [...missing] };
}

/**
 * How many characters a content has with its variables, all messages together, without putting it
 * together: a short template can become more than fits in memory. Images and the like, which name
 * no variables, are not counted.
 */
export function compiledLength(content: PromptContent, variables: Variables = {}): number {
  const lengths = new Map<string, number | undefined>();
  const lengthOf = (name: string): number | undefined => {
    if (lengths.has(name)) return lengths.get(name);
    const value = valueOf(variables, name);
    const length = value === undefined ? undefined : asText(value).length;
    lengths.set(name, length);
    return length;
  };
  let total = 0;
  mapTexts(content, (text, member) => {
    if (PROSE.has(member) || text.includes('{{')) total += text.length;
    for (const [placeholder, name] of text.matchAll(PLACEHOLDER))
      total += (lengthOf(name as string) ?? placeholder.length) - placeholder.length;
    return text;
  });
  return total;
}

/** Every text of a content, in a message's parts too, replaced by another. */
function mapTexts<C extends PromptContent>(
  content: C,
  change: (text: string, member: string) => string,
): C {
  const filled = typeof content === 'string' ? change(content, 'content') : content.map(mapMessage);
  return filled as C;

  function mapMessage<M extends { content: unknown }>(message: M): M {
    return { ...message, content: map(message.content, 'content') };
  }

  function map(value: unknown, member: string): unknown {
    if (typeof value === 'string') return change(value, member);
    if (Array.isArray(value)) return value.map((inner) => map(inner, member));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, map(inner, key)]));
  }
}

/** `constructor` and the like are names as good as any: only what was given counts. */
const valueOf = (variables: Variables, name: string): unknown =>
  Object.hasOwn(variables, name) ? variables[name] : undefined;

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
