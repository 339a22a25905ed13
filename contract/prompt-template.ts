import type { PromptContent } from './prompt-content.ts';

export interface CompiledPrompt<C extends PromptContent = PromptContent> {
  content: C;
  /** The variables in the template that have no value. Their placeholders stay unchanged. */
  missing_variables: string[];
}

type Variables = Readonly<Record<string, unknown>>;

/** The members of messages and parts that contain text for the model. */
const PROSE: ReadonlySet<string> = new Set(['content', 'text']);
const PLACEHOLDER = /\{\{\s*([^\s{}]+)\s*\}\}/g;

/**
 * Replaces `{{ name }}` in a text, or in the content of all chat messages, with the values of
 * variables. Strings are inserted unchanged, other values as JSON. Inserted text is not processed
 * again.
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
 * The length of a content in characters after variables are filled in, for all messages together.
 * It is computed without building the text, because a short template can expand to more than fits
 * in memory. Images and other data without placeholders are not counted.
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

/** Maps all texts of a content, including those in message parts. */
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

/**
 * The value of a variable. Only own properties count, so that names like `constructor` have no
 * value by default.
 */
const valueOf = (variables: Variables, name: string): unknown =>
  Object.hasOwn(variables, name) ? variables[name] : undefined;

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
