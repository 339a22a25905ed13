import { hash } from 'node:crypto';

/**
 * Shorter ids are not unique: Ollama draws one of a thousand (`chatcmpl-417`), others use the Unix
 * time in seconds. Providers' ids have 22 characters and more.
 */
const MIN_LENGTH = 20;
/** Longer ids are hashed: GitHub Copilot's are encrypted, and have many hundreds of characters. */
const MAX_LENGTH = 200;

/** The provider's response id, as stored; null if it is not unique. */
export function responseIdOf(id: string | null | undefined): string | null {
  if (!id || id.length < MIN_LENGTH) return null;
  return id.length > MAX_LENGTH ? `sha256:${hash('sha256', id)}` : id;
}
