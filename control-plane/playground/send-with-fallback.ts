import { adaptBody, type ModelBody, type ProviderRefusal, settingsOf } from './playground-rules.ts';

/**
 * Sends a request, and retries it with fewer settings if the model rejects one: models support
 * different settings, and there is no list of these.
 *
 * @returns the response, and the settings that were dropped
 */
export async function sendWithFallback<B extends ModelBody, T>(
  body: B,
  send: (body: B) => Promise<T>,
): Promise<{ answer: T; ignored_settings: string[] }> {
  const tried = new Set<string>();
  for (let current = body; ;)
    try {
      const answer = await send(current);
      return { answer, ignored_settings: settingsOf(tried) };
    } catch (error) {
      const next = adaptBody(current, error as ProviderRefusal, tried);
      if (!next) throw error;
      current = next as B;
    }
}
