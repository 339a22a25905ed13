import { applyEdits, modify, parse, type ParseError } from 'jsonc-parser';

/** The object in JSON with comments, empty for a blank text; null if it is not an object. */
export function readJsonObject(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {};
  const errors: ParseError[] = [];
  const content: unknown = parse(text, errors, { allowTrailingComma: true });
  const isObject = typeof content === 'object' && content !== null && !Array.isArray(content);
  return errors.length === 0 && isObject ? (content as Record<string, unknown>) : null;
}

/** Sets the value at a path, or removes it if undefined; the rest and its layout stay unchanged. */
export function editJson(text: string, path: readonly string[], value: unknown): string {
  const before = text.trim() === '' ? '{}\n' : text;
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };
  return applyEdits(before, modify(before, [...path], value, { formattingOptions }));
}
