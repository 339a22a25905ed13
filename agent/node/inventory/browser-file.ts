import { isObject } from '#agent/core/recognition/mcp-server.ts';
import type { BrowserProfile } from './browser-profiles.ts';
import { parseConfig, readHomeFile } from './config-file.ts';
import type { Scan } from './platform-paths/platform-paths.ts';

export type Fields = Record<string, unknown>;

/** Settings grow with every extension and site, but not to this size. */
const SIZE_LIMIT = 16 * 1024 * 1024;

/** Browsers write plain JSON, which is read many times faster than JSON with comments. */
async function parse(bytes: Buffer): Promise<{ document: unknown } | { error: string }> {
  try {
    return { document: JSON.parse(bytes.toString('utf8')) as unknown };
  } catch {
    return parseConfig(bytes, 'json');
  }
}

/** The object in a browser's JSON file, or one line that names the file and the error. */
export async function readBrowserFile(
  scan: Scan,
  profile: Pick<BrowserProfile, 'home'>,
  path: string,
): Promise<Fields | undefined> {
  const content = await readHomeFile(scan, profile.home, path, SIZE_LIMIT);
  if (!content) return undefined;
  const parsed = 'error' in content ? content : await parse(content.bytes);
  if ('error' in parsed) {
    scan.notRead(path, parsed.error);
    return undefined;
  }
  return isObject(parsed.document) ? parsed.document : undefined;
}
