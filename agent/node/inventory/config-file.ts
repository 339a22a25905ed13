import { parse as parseJson, type ParseError } from 'jsonc-parser';
import { parse as parseToml, TomlError } from 'smol-toml';
import { parseDocument } from 'yaml';
import { readServersXml } from './jetbrains-servers.ts';
import type { Home, Scan } from './places/places.ts';
import type { FileContent } from './tree.ts';

export type ConfigFormat = 'json' | 'yaml' | 'toml' | 'xml';

export interface ConfigFile {
  document: unknown;
  worldReadable: boolean;
}

export const configLimit = 1024 * 1024;

type Parsed = { document: unknown } | { line: number | undefined };

/** JSON with comments and trailing commas, as editors write their settings. */
function readJson(text: string): Parsed {
  const errors: ParseError[] = [];
  const document: unknown = parseJson(text, errors, {
    allowTrailingComma: true,
    allowEmptyContent: true,
  });
  const [error] = errors;
  return error ? { line: text.slice(0, error.offset).split('\n').length } : { document };
}

function readYaml(text: string): Parsed {
  const parsed = parseDocument(text, { logLevel: 'silent' });
  const [error] = parsed.errors;
  return error
    ? { line: error.linePos?.[0].line }
    : { document: parsed.toJS({ maxAliasCount: 100 }) as unknown };
}

function readToml(text: string): Parsed {
  try {
    return { document: parseToml(text) };
  } catch (error) {
    return { line: error instanceof TomlError ? error.line : undefined };
  }
}

const readXml = (text: string): Parsed => {
  const document = readServersXml(text);
  return document ? { document } : { line: undefined };
};

const readers = { json: readJson, yaml: readYaml, toml: readToml, xml: readXml };

/**
 * The document in a text, or what is wrong with it. The message never quotes the text, since what
 * is broken is often a line that holds a key.
 */
export function parseConfig(
  bytes: Buffer,
  format: ConfigFormat,
): { document: unknown } | { problem: string } {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const title = format.toUpperCase();
  try {
    const parsed = readers[format](text);
    if ('document' in parsed) return parsed;
    const where = parsed.line === undefined ? '' : ` (line ${parsed.line})`;
    return { problem: `is not valid ${title}${where}` };
  } catch {
    // The parsers recurse: a megabyte of brackets ends their stack.
    return { problem: `is not valid ${title} (nested too deeply or too many references)` };
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
  limit = configLimit,
): Promise<FileContent | { problem: string } | undefined> {
  const target = await scan.tree.resolve(path);
  if (target === undefined) return undefined;
  const content = await scan.tree.read(target, limit);
  if (!home || !content) return content;
  const homeDir = await scan.tree.resolve(home.dir);
  const isOpen = 'bytes' in content && content.worldReadable;
  return isOpen || (homeDir !== undefined && staysInside(target, homeDir))
    ? content
    : { problem: `is a link to a private file outside of ${home.dir}, not read` };
}

/** Reads a configuration. What is wrong becomes one line, naming the file. */
export async function readConfig(
  scan: Scan,
  home: Home | undefined,
  path: string,
  format: ConfigFormat,
): Promise<ConfigFile | undefined> {
  const content = await readHomeFile(scan, home, path);
  if (!content) return undefined;
  const parsed = 'problem' in content ? content : parseConfig(content.bytes, format);
  if ('problem' in parsed) {
    scan.problem(`${path}: ${parsed.problem}`);
    return undefined;
  }
  return {
    document: parsed.document,
    worldReadable: 'bytes' in content && content.worldReadable,
  };
}
