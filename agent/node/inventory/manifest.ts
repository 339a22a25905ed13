import { isObject } from '#agent/core/recognition/mcp-server.ts';
import { CONFIG_LIMIT, limitXml } from './config-file.ts';
import type { Scan } from './platform-paths/platform-paths.ts';
import type { Tree } from './tree.ts';

export type Manifest = Record<string, unknown>;

export const textIn = (manifest: Manifest, key: string): string | undefined =>
  typeof manifest[key] === 'string' ? manifest[key] : undefined;

/** The object in JSON text; undefined if it is not one. */
export function parseManifest(bytes: Buffer): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The object in a JSON file such as package.json, undefined if there is none. */
export async function readJsonManifest(tree: Tree, path: string): Promise<Manifest | undefined> {
  const content = await tree.read(path, CONFIG_LIMIT);
  return content && 'bytes' in content ? parseManifest(content.bytes) : undefined;
}

const BINARY_MAGIC = 'bplist00';

/** Checked first, because the parser prints errors to stderr. */
const isComplete = (xml: string) => /<plist[\s>]/.test(xml) && xml.trimEnd().endsWith('</plist>');

async function parseInfo(bytes: Buffer): Promise<Manifest | undefined> {
  const isBinary = bytes.subarray(0, BINARY_MAGIC.length).toString('latin1') === BINARY_MAGIC;
  const source = isBinary ? new Uint8Array(bytes) : bytes.toString('utf8');
  if (typeof source === 'string' && !isComplete(source)) return undefined;
  try {
    if (typeof source === 'string') limitXml(source);
    const { parse } = await import('plist');
    const value: unknown = parse(source);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An Info.plist, XML or binary. A malformed one is noted as a problem. */
export async function readInfoPlist(scan: Scan, path: string): Promise<Manifest | undefined> {
  const content = await scan.tree.read(path, CONFIG_LIMIT);
  if (!content) return undefined;
  const info = 'error' in content ? undefined : await parseInfo(content.bytes);
  if (!info) {
    const problem = 'error' in content ? content.error : 'is not a valid property list';
    scan.notRead(path, problem);
  }
  return info;
}

/** The header block of a `*.dist-info/METADATA`, and the text after it: the package's README. */
export async function readPythonMetadata(tree: Tree, path: string): Promise<Manifest | undefined> {
  const content = await tree.read(path, CONFIG_LIMIT);
  if (!content || 'error' in content) return undefined;
  const text = content.bytes.toString('utf8');
  const [header = ''] = text.split(/\r?\n\r?\n/, 1);
  const fields = [...header.matchAll(/^(Name|Version|Summary|Keywords):[ \t]*(\S(?:.*\S)?)/gm)];
  const requires = [...header.matchAll(/^Requires-Dist:[ \t]*([\w.-]+)(.*)/gm)];
  return {
    ...Object.fromEntries(fields.map(([, key = '', value]) => [key.toLowerCase(), value])),
    readme: text.slice(header.length),
    requires: requires
      .filter(([, , condition = '']) => !/\bextra\b/.test(condition))
      .map(([, name = '']) => name),
  };
}
