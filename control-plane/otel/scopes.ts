import type { Field } from './attribute-aliases.ts';

/** Client-specific semantics that spans alone do not state, by instrumentation scope. */
interface Client {
  /** The full name of a scope, or a prefix if it ends in a dot. */
  scope: string;
  /** Input tokens exclude those read from or written to the cache. */
  cached: 'beside input';
  /** Client-specific names, too ambiguous to be mapped for other clients. */
  names?: Readonly<Partial<Record<Field, readonly string[]>>>;
}

const clients: readonly Client[] = [
  // Passes on the numbers of Anthropic's API. (OpenLLMetry for Python adds the cached tokens.)
  { scope: '@traceloop/instrumentation-anthropic', cached: 'beside input' },
  {
    // Claude Code.
    scope: 'com.anthropic.claude_code.',
    cached: 'beside input',
    names: {
      tokensIn: ['input_tokens'],
      tokensOut: ['output_tokens'],
      cacheRead: ['cache_read_tokens'],
      cacheWrite: ['cache_creation_tokens'],
    },
  },
];

export const clientOf = (scope: string): Client | undefined =>
  clients.find((client) =>
    client.scope.endsWith('.') ? scope.startsWith(client.scope) : scope === client.scope,
  );

/** Is the name mapped for this client's spans only? */
export const isClientSpecific = (scope: string, name: string): boolean =>
  Object.values(clientOf(scope)?.names ?? {}).some((names) => names.includes(name));
