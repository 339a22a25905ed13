import { readFileSync, statSync } from 'node:fs';
import { tryOrUndefined } from '../../try-or-undefined.ts';

/**
 * The account names of /etc/passwd, read again for an unknown id if the file has changed. If it
 * cannot be read, such as without a free file descriptor, the name is unknown this time.
 */
export function createUserNames(file = '/etc/passwd'): (uid: number) => string | null {
  let names = new Map<number, string>();
  let readAt = -1;
  return (uid) => {
    const cached = names.get(uid);
    if (cached !== undefined) return cached;
    const changedAt = tryOrUndefined(() => statSync(file).mtimeMs) ?? -1;
    if (changedAt !== readAt) {
      const text = tryOrUndefined(() => readFileSync(file, 'utf8'));
      if (text !== undefined) names = parsePasswd(text);
      readAt = text === undefined ? -1 : changedAt;
    }
    return names.get(uid) ?? null;
  };
}

/** Account names by user id. If an id has two names, the first counts. */
export function parsePasswd(text: string): Map<number, string> {
  const names = new Map<number, string>();
  for (const line of text.split('\n')) {
    const [name, , uid] = line.split(':');
    if (!name || !uid || !/^\d+$/.test(uid)) continue;
    if (!names.has(Number(uid))) names.set(Number(uid), name);
  }
  return names;
}
