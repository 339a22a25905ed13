import type { RiskFlag } from '#agent/core/risk-flags.ts';
import { isObject } from '#agent/core/app-catalog/mcp-server.ts';
import { parseConfig, readHomeFile } from './config-file.ts';
import type { Home, Scan } from './places/places.ts';

/** More than any instructions are; what a text holds behind it is not looked at. */
const textLimit = 256 * 1024;

export interface LoadedText {
  text: string;
  bytes: number;
  worldReadable: boolean;
}

const isText = (bytes: Buffer) => !bytes.includes(0);

/**
 * A text that an agent reads. undefined where there is nothing to read: no file, a folder, no text,
 * nothing but blanks. What cannot be read becomes one line, naming the file.
 */
export async function readLoadedText(
  scan: Scan,
  home: Home | undefined,
  path: string,
): Promise<LoadedText | undefined> {
  const content = await readHomeFile(scan, home, path, textLimit);
  if (!content) return undefined;
  if ('problem' in content) {
    const isFolder = (await scan.tree.stat(path))?.isDirectory() === true;
    if (!isFolder) scan.notRead(path, content.problem);
    return undefined;
  }
  const text = isText(content.bytes) ? content.bytes.toString('utf8') : '';
  if (text.trim() === '') return undefined;
  return { text, bytes: content.bytes.length, worldReadable: content.worldReadable };
}

/** Flags that a file's mode gives: who else may change it, or read the key that it holds. */
export async function flagsOfMode(
  scan: Scan,
  path: string,
  found: { worldReadable: boolean; flags: readonly RiskFlag[] },
): Promise<RiskFlag[]> {
  const mode = (await scan.tree.stat(path))?.mode ?? 0;
  const exposed = found.worldReadable && found.flags.includes('plaintext_secret');
  return [
    ...(exposed ? (['world_readable_config'] as const) : []),
    ...((mode & 0o002) === 0 ? [] : (['world_writable_file'] as const)),
  ];
}

export type Settings = Record<string, unknown>;

/** By the end of a name. Modes of Roo and Kilo are YAML or JSON, which YAML includes. */
const formats = { json: 'json', yaml: 'yaml', yml: 'yaml', toml: 'toml', modes: 'yaml' } as const;
const frontMatter = /^\uFEFF?---[ \t]*\r?\n([\s\S]{0,16384}?)\r?\n---[ \t]*(?:\r?\n|$)/;

function parsed(text: string, format: 'json' | 'yaml' | 'toml'): Settings | undefined {
  const found = parseConfig(Buffer.from(text), format);
  return 'document' in found && isObject(found.document) ? found.document : undefined;
}

/** Settings of a text: its front matter, or the whole of it where it is no prose. */
export function settingsOf(path: string, text: string): Settings | undefined {
  const suffix = /(?:\.|\/\.(?:roo|kilocode))(json|ya?ml|toml|modes)$/.exec(path)?.[1] as
    | keyof typeof formats
    | undefined;
  if (suffix) return parsed(text, formats[suffix]);
  const block = frontMatter.exec(text)?.[1];
  return block === undefined ? undefined : parsed(block, 'yaml');
}

/** The settings in a manifest, undefined where there is none. */
export async function readManifest(
  scan: Scan,
  home: Home | undefined,
  path: string,
): Promise<Settings | undefined> {
  const content = await readHomeFile(scan, home, path, textLimit);
  if (!content || 'problem' in content) return undefined;
  return settingsOf(path, content.bytes.toString('utf8'));
}
