import { adaptBody, type ModelBody, type Refusal, settingsOf } from './playground-rules.ts';

/**
 * Sends a body, and again with fewer settings when the model refuses one: models differ in which
 * they know, and nobody lists that.
 *
 * @returns the answer, and the settings that the model ran without
 */
export async function sendAdapting<B extends ModelBody, T>(
  body: B,
  send: (body: B) => Promise<T>,
): Promise<{ answer: T; ignored_settings: string[] }> {
  const tried = new Set<string>();
  for (let current = body; ;) {
    try {
      const answer = await send(current);
      return { answer, ignored_settings: settingsOf(tried) };
    } catch (error) {
      const next = adaptBody(current, error as Refusal, tried);
      if (!next) throw error;
      current = next as B;
    }
  }
}
