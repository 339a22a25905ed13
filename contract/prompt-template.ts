import type { PromptContent } from './prompt-content.ts';

export interface CompiledPrompt<C extends PromptContent = PromptContent> {
  content: C;
  /** Variables that the template names and nobody gave: their placeholders are left as they are. */
  missing_variables: string[];
}

const PLACEHOLDER = /\{\{\s*([^\s{}]+)\s*\}\}/g;

/**
 * Puts variables in the place of `{{ name }}` in a text, or in the content of every chat message.
 * Strings are put in as they are, other values as JSON. What was put in is not looked at again.
 */
export function compilePrompt<C extends PromptContent>(
  content: C,
  variables: Readonly<Record<string, unknown>> = {},
): CompiledPrompt<C> {
  const missing = new Set<string>();
  const fillText = (text: string): string =>
    text.replace(PLACEHOLDER, (placeholder, name: string) => {
      // `constructor` and the like are names as good as any: only what was given counts.
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
      if (value === undefined) missing.add(name);
      return value === undefined ? placeholder : asText(value);
    });
  const filled = typeof content === 'string' ? fillText(content) : content.map(fillMessage);
  return { content: filled as C, missing_variables: [...missing] };

  function fillMessage<M extends { content: unknown }>(message: M): M {
    return { ...message, content: fill(message.content) };
  }

  function fill(value: unknown): unknown {
    if (typeof value === 'string') return fillText(value);
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner)]));
  }
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
