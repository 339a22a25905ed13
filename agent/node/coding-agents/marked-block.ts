import { parse } from 'smol-toml';
import { parse as parseYaml } from 'yaml';

/**
 * Marked lines at the end of a TOML or YAML file; everything else stays unchanged, byte for byte.
 */
export interface MarkedBlock {
  /** The whole file; null if it is invalid. */
  parse: (text: string) => Record<string, unknown> | null;
  /** The file without the block, parsed; null if it is invalid. */
  read: (present: string) => Record<string, unknown> | null;
  add: (present: string, lines: string) => string;
  /** The file without the block; null if nothing else remains. */
  without: (present: string) => string | null;
}

/** `name` distinguishes the blocks of one file. */
export const createTomlBlock = (name: string | null): MarkedBlock => createBlock(name, parse);

export const createYamlBlock = (): MarkedBlock =>
  createBlock(null, (text) => {
    const content: unknown = parseYaml(text, { logLevel: 'error' }) ?? {};
    if (typeof content !== 'object' || Array.isArray(content)) throw new Error('is not a mapping');
    return content as Record<string, unknown>;
  });

function createBlock(
  name: string | null,
  parseFile: (text: string) => Record<string, unknown>,
): MarkedBlock {
  const of = name === null ? '' : ` (${name})`;
  const begin = `# Begin of what the Gatehouse agent writes${of}. It restores and removes these lines.`;
  const end = `# End of what the Gatehouse agent writes${of}.`;

  const withoutBlock = (text: string): string => {
    const from = text.indexOf(begin);
    const to = text.indexOf(end, from);
    if (from < 0 || to < 0) return text;
    return text.slice(0, from) + text.slice(to + end.length).replace(/^\n/, '');
  };
  const parseValid = (text: string): Record<string, unknown> | null => {
    try {
      return parseFile(text);
    } catch {
      return null;
    }
  };
  return {
    parse: parseValid,
    read: (present) => parseValid(withoutBlock(present)),
    add: (present, lines) => {
      const rest = withoutBlock(present);
      const gap = rest === '' || rest.endsWith('\n') ? '' : '\n';
      return `${rest}${gap}${begin}\n${lines}${end}\n`;
    },
    without: (present) => {
      const rest = withoutBlock(present);
      return rest !== present && rest.trim() === '' ? null : rest;
    },
  };
}
