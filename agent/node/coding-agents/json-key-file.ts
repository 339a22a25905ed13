import { applyEdits, modify, parse, type ParseError } from 'jsonc-parser';
import type { ManagedFile, Wanted } from '#agent/core/coding-agents/managed-file.ts';
import type { Recording } from '#agent/core/coding-agents/recording.ts';

export interface JsonKeyFile {
  tool: string;
  path: string;
  key: string;
  /** The value of the key, or one line with the reason why there is none. */
  valueOf: (recording: Recording) => { value: object } | { error: string };
  /** Whether an agent wrote the value, even if it was edited since. */
  isOurs: (value: unknown) => boolean;
}

/** A settings file in which the agent writes one key; the rest and its layout stay unchanged. */
export const jsonKeyFile = (file: JsonKeyFile): ManagedFile<Recording> => ({
  tool: file.tool,
  path: file.path,
  withSettings: (present, recording) => withKey(present ?? '', file, recording),
  withoutSettings: (present) => {
    const content = read(present);
    if (!content || !file.isOurs(content[file.key])) return present;
    if (Object.keys(content).length === 1) return null;
    return edited(present, file.key, undefined);
  },
});

function withKey(present: string, { key, isOurs, valueOf }: JsonKeyFile, to: Recording): Wanted {
  const content = read(present);
  if (!content) return { error: 'is no JSON object' };
  if (content[key] !== undefined && !isOurs(content[key]))
    return { error: `has a key "${key}" of its own` };
  const wanted = valueOf(to);
  if ('error' in wanted) return wanted;
  if (JSON.stringify(content[key]) === JSON.stringify(wanted.value)) return { text: present };
  return { text: edited(present, key, wanted.value) };
}

function read(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {};
  const errors: ParseError[] = [];
  const content: unknown = parse(text, errors, { allowTrailingComma: true });
  const isObject = typeof content === 'object' && content !== null && !Array.isArray(content);
  return errors.length === 0 && isObject ? (content as Record<string, unknown>) : null;
}

function edited(text: string, key: string, value: object | undefined): string {
  const before = text.trim() === '' ? '{}\n' : text;
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };
  return applyEdits(before, modify(before, [key], value, { formattingOptions }));
}
