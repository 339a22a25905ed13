import { buffer } from 'node:stream/consumers';
import { scriptEntries } from '../product/layout.ts';
import { gzipBytes } from './gzip.ts';
import { packEntries } from './pack-entries.ts';

/** The Scripts archive of a component. `mtime` in seconds. */
export const packScripts = async (
  scripts: Readonly<Record<string, string>>,
  mtime: number,
): Promise<Buffer> =>
  gzipBytes(await buffer(packEntries(scriptEntries(scripts, mtime), new Map())));
