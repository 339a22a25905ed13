import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';

const writableByOthers = 0o022;

/**
 * What is wrong with a Unix socket that only `owner` (a user id) can have made: nothing (undefined) if it
 * and its folder belong to the owner and only the owner may change the folder; null if it is not there.
 * Node cannot ask who is at the other end; a socket in such a folder can only be the owner's.
 */
export async function socketFault(path: string, owner: number): Promise<string | null | undefined> {
  const folder = dirname(path);
  try {
    const [below, socket] = await Promise.all([lstat(folder), lstat(path)]);
    if (!below.isDirectory() || below.uid !== owner || (below.mode & writableByOthers) !== 0)
      return `${folder} is not a folder that only its owner (user ${owner}) may change`;
    if (!socket.isSocket() || socket.uid !== owner)
      return `${path} is not a socket of user ${owner}`;
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? null : message;
  }
}
