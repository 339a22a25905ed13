import type { Field } from './attribute-aliases.ts';

/** What a client means that its spans alone do not say; by the name of its instrumentation scope. */
interface Client {
  /** A scope's whole name, or its beginning where it ends in a dot. */
  scope: string;
  /** Its input tokens are those that were neither read from the cache nor written to it. */
  cached: 'beside input';
  /** Its own names, of too little meaning to be read wherever they occur. */
  names?: Readonly<Partial<Record<Field, readonly string[]>>>;
}

const clients: readonly Client[] = [
  // Passes on what Anthropic's API answers. (OpenLLMetry for Python adds the cached tokens.)
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

/** Names that only a certain client's spans are read by. */
export const isClientsName = (scope: string, name: string): boolean =>
  Object.values(clientOf(scope)?.names ?? {}).some((names) => names.includes(name));
