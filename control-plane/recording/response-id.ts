import { hash } from 'node:crypto';

/**
 * The minimum length. Shorter ids are not unique: Ollama picks one of a thousand (`chatcmpl-417`),
 * and others use the Unix time in seconds. The ids of providers have at least 22 characters.
 */
const MIN_LENGTH = 20;
/**
 * The length above which ids are hashed. Those of GitHub Copilot are encrypted and have several
 * hundred characters.
 */
const MAX_LENGTH = 200;

/** Returns the provider's response id in its stored form; null if it is not unique. */
export function responseIdOf(id: string | null | undefined): string | null {
  if (!id || id.length < MIN_LENGTH) return null;
  return id.length > MAX_LENGTH ? `sha256:${hash('sha256', id)}` : id;
}
