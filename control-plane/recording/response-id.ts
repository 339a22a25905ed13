import { hash } from 'node:crypto';

/**
 * Shorter ones are not unique: Ollama draws one of a thousand (`chatcmpl-417`), others take the
 * second of the day. Those of providers have 22 characters and more.
 */
const SHORTEST = 20;
/** GitHub Copilot's are sealed, and have many hundreds. */
const LONGEST = 200;

/** The provider's id of an answer, as it is stored; null for one that does not tell answers apart. */
export function responseIdOf(told: string | null | undefined): string | null {
  if (!told || told.length < SHORTEST) return null;
  return told.length > LONGEST ? `sha256:${hash('sha256', told)}` : told;
}
