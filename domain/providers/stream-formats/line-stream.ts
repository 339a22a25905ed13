import { parseJson } from '../parse-json.ts';

/** A line of a stream: JSON, possibly with a short code before it. */
const piece = /^(?:[\w$.-]{1,20}:[ \t]?)?((?:"|\[|\{).*)$/;
/** The number of lines that decide. */
const MAX_LINES = 50;

/**
 * Whether the text is a stream of lines in an unknown format. It is then unknown which pieces form
 * one text, and redaction finds no secret in pieces.
 */
export function isLineStream(text: string): boolean {
  const lines = text
    .split('\n', 2 * MAX_LINES)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, MAX_LINES);
  const pieces = lines.filter((line) => {
    const json = piece.exec(line)?.[1];
    return json !== undefined && parseJson(json) !== undefined;
  });
  return pieces.length > 1 && 2 * pieces.length >= lines.length;
}
