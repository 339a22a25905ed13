import { Client } from 'pg';

/**
 * The number of uses after which a text is prepared, so that texts that are built only once never
 * are.
 */
const USES_BEFORE_PREPARING = 20;
const MAX_PREPARED = 200;
const MAX_COUNTED = 2000;

/** A client class that prepares frequent statements, so that PostgreSQL caches their plans. */
export function preparingClient(): typeof Client {
  const names = new Map<string, string>();
  const uses = new Map<string, number>();

  function nameOf(text: string): string | undefined {
    const existing = names.get(text);
    if (existing !== undefined || names.size === MAX_PREPARED) return existing;
    // The columns of a star may change during our lifetime, with a migration by a newer process.
    if (text.includes('*')) return undefined;
    const times = (uses.get(text) ?? 0) + 1;
    if (uses.size === MAX_COUNTED) uses.clear();
    uses.set(text, times);
    if (times < USES_BEFORE_PREPARING) return undefined;
    uses.delete(text);
    const name = `often_${names.size}`;
    names.set(text, name);
    return name;
  }

  return class extends Client {
    override query(...[text, values, ...args]: unknown[]): never {
      const name =
        typeof text === 'string' && Array.isArray(values) && values.length > 0
          ? nameOf(text)
          : undefined;
      const query = super.query.bind(this) as (...args: unknown[]) => never;
      return name ? query({ name, text, values }, ...args) : query(text, values, ...args);
    }
  };
}
