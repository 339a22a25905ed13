import type { Home, Scan } from './platform-paths/platform-paths.ts';
import { readJson } from './read-json.ts';
import { skimJson } from './skim-json.ts';
import type { FileContent } from './tree.ts';

export type ConfigFormat = 'json' | 'yaml' | 'toml' | 'xml' | 'markdown';

export interface ConfigFile {
  document: unknown;
  worldReadable: boolean;
}

export const CONFIG_LIMIT = 1024 * 1024;

/**
 * The limit of one file, for parsers that need up to a kilobyte of memory for each token and time
 * that grows with its square. A megabyte of `[a,a,a` has ten times as many tokens, a configuration
 * of a person less than a tenth.
 */
const MAX_TOKENS = 50_000;

class TooLarge extends Error {}

/** @throws TooLarge */
function limitTokens(tokens: Iterable<unknown>): void {
  let left = MAX_TOKENS;
  for (const _ of tokens) {
    left -= 1;
    if (left < 0) throw new TooLarge();
  }
}

const isXmlToken = /[<=]/g;
const isTomlToken = /[\n=,[{]/g;

/** @throws TooLarge if parsing the text would need too much memory */
export const limitXml = (text: string): void => limitTokens(text.matchAll(isXmlToken));

type Parsed = { document: unknown } | { line: number | undefined };

// Parsers are loaded with the first file of their format: many computers have none, and each parser
// takes megabytes.

function readJsonText(text: string): Parsed {
  const read = readJson(text);
  return 'document' in read ? read : { line: text.slice(0, read.offset).split('\n').length };
}

async function readYaml(text: string): Promise<Parsed> {
  const { Lexer, parseDocument } = await import('yaml');
  limitTokens(new Lexer().lex(text));
  // The search for equal keys is quadratic.
  const parsed = parseDocument(text, { logLevel: 'silent', uniqueKeys: false });
  const [error] = parsed.errors;
  return error
    ? { line: error.linePos?.[0].line }
    : { document: parsed.toJS({ maxAliasCount: 100 }) as unknown };
}

/** The YAML in front of a text, between two lines of three dashes. */
export const frontMatter = /^\uFEFF?---[ \t]*\r?\n([\s\S]{0,16384}?)\r?\n---[ \t]*(?:\r?\n|$)/;

async function readMarkdown(text: string): Promise<Parsed> {
  const block = frontMatter.exec(text)?.[1];
  // An empty line stands for the first dashes, so that the line of an error is that in the file.
  return block === undefined ? { document: {} } : readYaml(`\n${block}`);
}

async function readToml(text: string): Promise<Parsed> {
  limitTokens(text.matchAll(isTomlToken));
  const { parse: parseToml, TomlError } = await import('smol-toml');
  try {
    return { document: parseToml(text) };
  } catch (error) {
    return { line: error instanceof TomlError ? error.line : undefined };
  }
}

async function readXml(text: string): Promise<Parsed> {
  limitXml(text);
  const { readServersXml } = await import('./jetbrains-servers.ts');
  const document = readServersXml(text);
  return document ? { document } : { line: undefined };
}

const readers = {
  json: readJsonText,
  yaml: readYaml,
  toml: readToml,
  xml: readXml,
  markdown: readMarkdown,
};

/**
 * Parses a text, or returns the reason why that is impossible. The message never quotes the text,
 * because a broken line often contains a key.
 */
export async function parseConfig(
  bytes: Buffer,
  format: ConfigFormat,
): Promise<{ document: unknown } | { error: string }> {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const title = (format === 'markdown' ? 'yaml' : format).toUpperCase();
  try {
    const parsed = await readers[format](text);
    if ('document' in parsed) return parsed;
    const where = parsed.line === undefined ? '' : ` (line ${parsed.line})`;
    return { error: `is not valid ${title}${where}` };
  } catch (error) {
    if (error instanceof TooLarge) return { error: 'declares too much, not read' };
    // The parsers are recursive: a megabyte of brackets overflows their stack.
    return { error: `is not valid ${title} (nested too deeply or too many references)` };
  }
}

/**
 * A link out of a home would report one person's files as another's, unless everybody may read
 * them.
 */
const staysInside = (target: string, home: string) => target.startsWith(`${home}/`);

/**
 * Reads a file of a home, or of the machine if there is no home. Returns undefined if it does not
 * exist. A link out of the home is followed only if everybody may read its target.
 */
export async function readHomeFile(
  scan: Scan,
  home: Home | undefined,
  path: string,
  limit = CONFIG_LIMIT,
  end?: number,
): Promise<FileContent | { error: string } | undefined> {
  const content = await scan.tree.read(path, limit, end);
  if (!home || !content || ('bytes' in content && content.worldReadable)) return content;
  const target = await scan.tree.resolve(path);
  const homeDir = await scan.tree.resolve(home.dir);
  return target !== undefined && homeDir !== undefined && staysInside(target, homeDir)
    ? content
    : { error: `is a link to a private file outside of ${home.dir}, not read` };
}

/** The part of a large file that is read: only the values at these keys. */
export interface SkimOptions {
  keys: readonly (readonly string[])[];
  /** The remaining bytes of large files that may be read. */
  budget: { remainingBytes: number };
}

/**
 * The size limit of files that contain more than settings, such as `~/.claude.json` with its
 * history.
 */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
export const MAX_LARGE_FILE_BYTES_PER_HOME = 2 * MAX_FILE_BYTES;

/**
 * Reads a configuration. An error becomes one line that names the file, and earlier findings from
 * that file are kept. A large JSON file is read only if the required keys are known.
 */
export async function readConfig(
  scan: Scan,
  home: Home | undefined,
  path: string,
  format: ConfigFormat,
  skimOptions?: SkimOptions,
): Promise<ConfigFile | undefined> {
  const skimLimit = format === 'json' && skimOptions ? skimOptions.budget.remainingBytes : 0;
  const limit = Math.max(CONFIG_LIMIT, Math.min(MAX_FILE_BYTES, skimLimit));
  const content = await readHomeFile(scan, home, path, limit);
  if (!content) return undefined;
  const parsed =
    'error' in content ? content : await parseContent(content.bytes, format, skimOptions);
  if ('error' in parsed) {
    scan.notRead(path, parsed.error);
    return undefined;
  }
  return {
    document: parsed.document,
    worldReadable: 'bytes' in content && content.worldReadable,
  };
}

async function parseContent(
  bytes: Buffer,
  format: ConfigFormat,
  skimOptions: SkimOptions | undefined,
) {
  if (!skimOptions || bytes.length <= CONFIG_LIMIT) return parseConfig(bytes, format);
  skimOptions.budget.remainingBytes -= bytes.length;
  return skimJson(bytes, skimOptions.keys, CONFIG_LIMIT);
}
