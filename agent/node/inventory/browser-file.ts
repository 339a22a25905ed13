import { isObject } from '#agent/core/recognition/mcp-server.ts';
import type { BrowserProfile } from './browser-profiles.ts';
import { CONFIG_LIMIT, parseConfig, readHomeFile } from './config-file.ts';
import type { Scan } from './platform-paths/platform-paths.ts';
import { type Keys, skimJson } from './skim-json.ts';

export type Fields = Record<string, unknown>;

/** Settings grow with every extension and site, but not to this size. */
const SIZE_LIMIT = 16 * 1024 * 1024;

/**
 * Browsers write plain JSON, which is read many times faster than JSON with comments. A large file
 * is never parsed whole: `JSON.parse` of 16 MB of `[]` takes 200 MB of heap, and V8 cannot end a
 * thread in the middle of it, so it would end the agent's process.
 */
async function parse(
  bytes: Buffer,
  keys: Keys,
): Promise<{ document: unknown } | { error: string }> {
  if (bytes.length > CONFIG_LIMIT) return skimJson(bytes, keys, CONFIG_LIMIT);
  try {
    return { document: JSON.parse(bytes.toString('utf8')) as unknown };
  } catch {
    return parseConfig(bytes, 'json');
  }
}

/**
 * The object in a browser's JSON file, or one line that names the file and the error. From a large
 * file it has only the values at the keys.
 */
export async function readBrowserFile(
  scan: Scan,
  profile: Pick<BrowserProfile, 'home'>,
  path: string,
  keys: Keys,
): Promise<Fields | undefined> {
  const content = await readHomeFile(scan, profile.home, path, SIZE_LIMIT);
  if (!content) return undefined;
  const parsed = 'error' in content ? content : await parse(content.bytes, keys);
  if ('error' in parsed) {
    scan.notRead(path, parsed.error);
    return undefined;
  }
  return isObject(parsed.document) ? parsed.document : undefined;
}
