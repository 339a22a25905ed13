import { parse } from 'smol-toml';

/** Marked lines at the end of a TOML file; everything else stays unchanged, byte for byte. */
export interface TomlBlock {
  /** The file without the block, parsed; null if it is invalid. */
  read: (present: string) => Record<string, unknown> | null;
  add: (present: string, lines: string) => string;
  /** The file without the block; null if nothing else remains. */
  without: (present: string) => string | null;
}

/** `name` distinguishes the blocks of one file. */
export function createBlock(name: string | null): TomlBlock {
  const of = name === null ? '' : ` (${name})`;
  const begin = `# Begin of what the Gatehouse agent writes${of}. It restores and removes these lines.`;
  const end = `# End of what the Gatehouse agent writes${of}.`;

  const withoutBlock = (text: string): string => {
    const from = text.indexOf(begin);
    const to = text.indexOf(end, from);
    if (from < 0 || to < 0) return text;
    return text.slice(0, from) + text.slice(to + end.length).replace(/^\n/, '');
  };
  return {
    read: (present) => {
      try {
        return parse(withoutBlock(present));
      } catch {
        return null;
      }
    },
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
