import type { Home, Scan } from './platform-paths/platform-paths.ts';
import { readJson } from './read-json.ts';
import { skimJson } from './skim-json.ts';
import type { FileContent } from './tree.ts';

export type ConfigFormat = 'json' | 'yaml' | 'toml' | 'xml';

export interface ConfigFile {
  document: unknown;
  worldReadable: boolean;
}

export const CONFIG_LIMIT = 1024 * 1024;

type Parsed = { document: unknown } | { line: number | undefined };

// Parsers are loaded with the first file of their format: a computer often has none, and each of
// them takes megabytes.

function readJsonText(text: string): Parsed {
  const read = readJson(text);
  return 'document' in read ? read : { line: text.slice(0, read.offset).split('\n').length };
}

async function readYaml(text: string): Promise<Parsed> {
  const { parseDocument } = await import('yaml');
  const parsed = parseDocument(text, { logLevel: 'silent' });
  const [error] = parsed.errors;
  return error
    ? { line: error.linePos?.[0].line }
    : { document: parsed.toJS({ maxAliasCount: 100 }) as unknown };
}

async function readToml(text: string): Promise<Parsed> {
  const { parse: parseToml, TomlError } = await import('smol-toml');
  try {
    return { document: parseToml(text) };
  } catch (error) {
    return { line: error instanceof TomlError ? error.line : undefined };
  }
}

async function readXml(text: string): Promise<Parsed> {
  const { readServersXml } = await import('./jetbrains-servers.ts');
  const document = readServersXml(text);
  return document ? { document } : { line: undefined };
}

const readers = { json: readJsonText, yaml: readYaml, toml: readToml, xml: readXml };

/**
 * The document in a text, or what is wrong with it. The message never quotes the text, since what
 * is broken is often a line that holds a key.
 */
export async function parseConfig(
  bytes: Buffer,
  format: ConfigFormat,
): Promise<{ document: unknown } | { error: string }> {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const title = format.toUpperCase();
  try {
    const parsed = await readers[format](text);
    if ('document' in parsed) return parsed;
    const where = parsed.line === undefined ? '' : ` (line ${parsed.line})`;
    return { error: `is not valid ${title}${where}` };
  } catch {
    // The parsers recurse: a megabyte of brackets ends their stack.
    return { error: `is not valid ${title} (nested too deeply or too many references)` };
  }
}

/** A link out of a home would show one person's files as another's, unless all may read them. */
const staysInside = (target: string, home: string) => target.startsWith(`${home}/`);

/**
 * Reads a file of a home, or of the machine where there is no home. undefined if nothing is there;
 * a link out of the home is followed only where everybody may read what it leads to.
 */
export async function readHomeFile(
  scan: Scan,
  home: Home | undefined,
  path: string,
  limit = CONFIG_LIMIT,
  end?: number,
): Promise<FileContent | { error: string } | undefined> {
  const target = await scan.tree.resolve(path);
  if (target === undefined) return undefined;
  const content = await scan.tree.read(target, limit, end);
  if (!home || !content) return content;
  const homeDir = await scan.tree.resolve(home.dir);
  const isOpen = 'bytes' in content && content.worldReadable;
  return isOpen || (homeDir !== undefined && staysInside(target, homeDir))
    ? content
    : { error: `is a link to a private file outside of ${home.dir}, not read` };
}

/** What is read of a large file: only what is at these keys. */
export interface Skimmed {
  keys: readonly (readonly string[])[];
  /** How much of large files may still be read, in bytes. */
  allowance: { left: number };
}

/** Files that hold more than settings, such as `~/.claude.json` with its history, grow to this. */
const LARGEST_FILE = 64 * 1024 * 1024;
export const LARGE_FILES_OF_HOME = 2 * LARGEST_FILE;

/**
 * Reads a configuration. What is wrong becomes one line, naming the file, and what was found in it
 * before is not gone. A large JSON file is read where the keys are known that are asked for.
 */
export async function readConfig(
  scan: Scan,
  home: Home | undefined,
  path: string,
  format: ConfigFormat,
  skimmed?: Skimmed,
): Promise<ConfigFile | undefined> {
  const left = format === 'json' && skimmed ? skimmed.allowance.left : 0;
  const limit = Math.max(CONFIG_LIMIT, Math.min(LARGEST_FILE, left));
  const content = await readHomeFile(scan, home, path, limit);
  if (!content) return undefined;
  const parsed = 'error' in content ? content : await parseContent(content.bytes, format, skimmed);
  if ('error' in parsed) {
    scan.notRead(path, parsed.error);
    return undefined;
  }
  return {
    document: parsed.document,
    worldReadable: 'bytes' in content && content.worldReadable,
  };
}

async function parseContent(bytes: Buffer, format: ConfigFormat, skimmed: Skimmed | undefined) {
  if (!skimmed || bytes.length <= CONFIG_LIMIT) return parseConfig(bytes, format);
  skimmed.allowance.left -= bytes.length;
  return skimJson(bytes, skimmed.keys, CONFIG_LIMIT);
}
