import { isObject } from '#agent/core/recognition/mcp-server.ts';
import type { RiskFlag } from '#agent/core/risk-flags.ts';
import { frontMatter, parseConfig, readHomeFile } from './config-file.ts';
import type { Home, Scan } from './platform-paths/platform-paths.ts';

/**
 * The size limit: longer than any real instructions. Only the start and the end of a longer text
 * are checked.
 */
const TEXT_LIMIT = 256 * 1024;
const END_LIMIT = 64 * 1024;

export interface LoadedText {
  /** The start and the end, if the text is too long. */
  text: string;
  bytes: number;
  isTruncated: boolean;
  worldReadable: boolean;
}

const isText = (bytes: Buffer) => !bytes.includes(0);

/**
 * Reads a text that an agent loads. Returns undefined for a missing file, a folder, a binary or a
 * blank file. A file that cannot be read becomes one line that names it.
 */
export async function readLoadedText(
  scan: Scan,
  home: Home | undefined,
  path: string,
): Promise<LoadedText | undefined> {
  const content = await readHomeFile(scan, home, path, TEXT_LIMIT, END_LIMIT);
  if (!content) return undefined;
  if ('error' in content) {
    const isFolder = (await scan.tree.stat(path))?.isDirectory() === true;
    if (!isFolder) scan.notRead(path, content.error);
    return undefined;
  }
  const { bytes, rest, worldReadable } = content;
  const text = isText(bytes) ? bytes.toString('utf8') : '';
  // Endless blanks may hide text after them.
  if (text === '' || (text.trim() === '' && !rest)) return undefined;
  const whole = rest ? `${text}\n${rest.end.toString('utf8')}` : text;
  return {
    text: whole,
    bytes: rest?.size ?? bytes.length,
    isTruncated: rest !== undefined,
    worldReadable,
  };
}

/** Notes about a text that was not searched completely. */
export const truncationNotes = ({ isTruncated }: LoadedText): string[] =>
  isTruncated
    ? ['too large to search completely: only its first 256 KiB and last 64 KiB were searched']
    : [];
export const truncationFlags = ({ isTruncated }: LoadedText): RiskFlag[] =>
  isTruncated ? ['not_searched_whole'] : [];

/** Flags of a file's mode: others may change it, or read the key in it. */
export async function flagsOfFileMode(
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

/** Formats by file extension. Modes of Roo and Kilo are YAML, which includes JSON. */
const formats = { json: 'json', yaml: 'yaml', yml: 'yaml', toml: 'toml', modes: 'yaml' } as const;

async function parsed(
  text: string,
  format: 'json' | 'yaml' | 'toml',
): Promise<Settings | undefined> {
  const found = await parseConfig(Buffer.from(text), format);
  return 'document' in found && isObject(found.document) ? found.document : undefined;
}

/** The settings of a text: its front matter, or the whole text if it is a settings file. */
export async function settingsOf(path: string, text: string): Promise<Settings | undefined> {
  const suffix = /(?:\.|\/\.(?:roo|kilocode))(json|ya?ml|toml|modes)$/.exec(path)?.[1] as
    | keyof typeof formats
    | undefined;
  if (suffix) return parsed(text, formats[suffix]);
  const block = frontMatter.exec(text)?.[1];
  return block === undefined ? undefined : parsed(block, 'yaml');
}

/** The settings in a manifest; undefined if there is none. */
export async function readManifest(
  scan: Scan,
  home: Home | undefined,
  path: string,
): Promise<Settings | undefined> {
  const content = await readHomeFile(scan, home, path, TEXT_LIMIT);
  if (!content || 'error' in content) return undefined;
  return settingsOf(path, content.bytes.toString('utf8'));
}
