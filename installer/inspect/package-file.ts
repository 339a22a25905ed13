import { open } from 'node:fs/promises';
import { InstallerError } from '../installer-error.ts';

/** Random access to the bytes of a package. Only the requested bytes are held in memory. */
export interface PackageFile {
  /** Bytes. */
  size: number;
  read: (offset: number, length: number) => Promise<Buffer>;
  chunks: (offset: number, length: number) => AsyncGenerator<Buffer>;
  [Symbol.asyncDispose]: () => Promise<void>;
}

const CHUNK_SIZE = 256 * 1024;

/** @throws InstallerError if the path is not a readable file */
export async function openPackage(path: string): Promise<PackageFile> {
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new InstallerError(`${path} cannot be read: ${error.code ?? error.message}`);
  });
  const stats = await handle.stat();
  if (!stats.isFile()) {
    await handle.close();
    throw new InstallerError(`${path} is not a file`);
  }
  const { size } = stats;

  async function read(offset: number, length: number): Promise<Buffer> {
    if (offset < 0 || length < 0 || offset + length > size)
      throw new InstallerError(
        `the file ends at byte ${size}: expected ${length} bytes at offset ${offset}`,
      );
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
    if (bytesRead !== length) throw new InstallerError('was truncated while it was read');
    return buffer;
  }

  async function* chunks(offset: number, length: number): AsyncGenerator<Buffer> {
    for (let done = 0; done < length; done += CHUNK_SIZE)
      yield await read(offset + done, Math.min(CHUNK_SIZE, length - done));
  }

  return { size, read, chunks, [Symbol.asyncDispose]: () => handle.close() };
}
