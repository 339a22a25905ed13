/** In characters. Short enough that the browser lays out and parses one piece without delay. */
export const PIECE_LENGTH = 4000;

const fence = /^ {0,3}(`{3,}|~{3,})/;

export interface TextPiece {
  text: string;
  /** The line that opened the code in which the piece starts; null outside of code. */
  fence: string | null;
}

/**
 * Divides a text so that it can be shown piece by piece: between blocks of Markdown where possible,
 * else between lines, else between characters. The pieces joined are the text.
 */
export function textPieces(text: string): TextPiece[] {
  if (text.length <= PIECE_LENGTH) return [{ text, fence: null }];
  const pieces: TextPiece[] = [];
  let piece: TextPiece = { text: '', fence: null };
  /** The end of the last blank line outside of code. */
  let safe = 0;
  let open: string | null = null;
  for (const line of linesOf(text)) {
    if (piece.text.length + line.length > PIECE_LENGTH && piece.text !== '') {
      // Better to divide code than to show a piece that is almost empty.
      const isBetween = safe > PIECE_LENGTH / 4;
      const end = isBetween ? safe : piece.text.length;
      pieces.push({ ...piece, text: piece.text.slice(0, end) });
      piece = { text: piece.text.slice(end), fence: isBetween ? null : open };
      safe = 0;
    }
    piece.text += line;
    open = openAfter(open, line);
    if (open === null && line.trim() === '') safe = piece.text.length;
  }
  return [...pieces, piece];
}

/** The line that opened the code in which the next line is. */
function openAfter(open: string | null, line: string): string | null {
  const mark = fence.exec(line)?.[1];
  if (mark === undefined) return open;
  if (open === null) return line.endsWith('\n') ? line : null;
  return mark.startsWith(fence.exec(open)?.[1] ?? '') ? null : open;
}

/** Lines with their ends; those longer than a piece in parts. */
function* linesOf(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const lineEnd = text.indexOf('\n', start);
    const end = lineEnd === -1 ? text.length : lineEnd + 1;
    const stop = Math.min(end, wholeAt(text, start + PIECE_LENGTH));
    yield text.slice(start, stop);
    start = stop;
  }
}

/** An index that divides no surrogate pair. */
const wholeAt = (text: string, index: number): number =>
  /[\uDC00-\uDFFF]/.test(text.charAt(index)) ? index + 1 : index;
