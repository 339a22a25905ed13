import { Client } from 'pg';

/** So often a text is seen before it is prepared: what is put together once never is. */
const OFTEN = 20;
const MOST_PREPARED = 200;
const MOST_COUNTED = 2000;

/**
 * Clients that let PostgreSQL keep the plans of statements that come again and again.
 */
export function preparingClient(): typeof Client {
  const names = new Map<string, string>();
  const seen = new Map<string, number>();

  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    if (known !== undefined || names.size === MOST_PREPARED) return known;
    // What a star stands for may change while we run, with a migration by a newer process.
    if (text.includes('*')) return undefined;
    const times = (seen.get(text) ?? 0) + 1;
    if (seen.size === MOST_COUNTED) seen.clear();
    seen.set(text, times);
    if (times < OFTEN) return undefined;
    seen.delete(text);
    const name = `often_${names.size}`;
    names.set(text, name);
    return name;
  }

  return class extends Client {
    override query(...[text, values, ...rest]: unknown[]): never {
      const name =
        typeof text === 'string' && Array.isArray(values) && values.length > 0
          ? nameOf(text)
          : undefined;
      const query = super.query.bind(this) as (...args: unknown[]) => never;
      return name ? query({ name, text, values }, ...rest) : query(text, values, ...rest);
    }
  };
}
