import { observeCreate } from './observe-create.ts';
import type { WrapOptions } from './options.ts';
import { field, messageReader } from './readers.ts';
import { watcherOf } from './watcher.ts';

/**
 * Records the messages of an Anthropic client as LLM calls. Modifies the client in place and returns
 * it.
 */
export function wrapAnthropic<T extends object>(client: T, options: WrapOptions = {}): T {
  const watching = watcherOf({ provider: 'anthropic', ...options });
  for (const resource of [field(client, 'messages'), field(client, 'beta', 'messages')])
    observeCreate(resource, (body) => watching(body, messageReader(body)));
  return client;
}
