/**
 * Maximum length in characters, short enough that the browser can lay out and parse a piece without
 * delay.
 */
export const PIECE_LENGTH = 4000;

const fence = /^ {0,3}(`{3,}|~{3,})/;

export interface TextPiece {
  text: string;
  /** The line that opened the code block in which the piece starts; null outside of code. */
  fence: string | null;
}

/**
 * Splits a text so that it can be shown in pieces: between blocks of Markdown if possible,
 * otherwise between lines or characters. The concatenated pieces are the text.
 */
export function textPieces(text: string): TextPiece[] {
  if (text.length <= PIECE_LENGTH) return [{ text, fence: null }];
  const pieces: TextPiece[] = [];
  let piece: TextPiece = { text: '', fence: null };
  /** End of the last blank line outside of code. */
  let safe = 0;
  let open: string | null = null;
  for (const line of linesOf(text)) {
    if (piece.text.length + line.length > PIECE_LENGTH && piece.text !== '') {
      // Splitting code is better than showing an almost empty piece.
      const isBetween = safe > PIECE_LENGTH / 4;
      const end = isBetween ? safe : piece.text.length;
      pieces.push({ ...piece, text: piece.text.slice(0, end) });
      piece = { text: piece.text.slice(end), fence: isBetween ? null : open };
      safe = 0;
    }
    piece.text += line;
    open = openFenceAfter(open, line);
    if (open === null && line.trim() === '') safe = piece.text.length;
  }
  return [...pieces, piece];
}

/** The line that opened the code block that contains the next line; null outside of code. */
function openFenceAfter(open: string | null, line: string): string | null {
  const mark = fence.exec(line)?.[1];
  if (mark === undefined) return open;
  if (open === null) return line.endsWith('\n') ? line : null;
  return mark.startsWith(fence.exec(open)?.[1] ?? '') ? null : open;
}

/** The lines with their line breaks. Lines longer than a piece are split. */
function* linesOf(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const lineEnd = text.indexOf('\n', start);
    const end = lineEnd === -1 ? text.length : lineEnd + 1;
    const stop = Math.min(end, afterSurrogatePair(text, start + PIECE_LENGTH));
    yield text.slice(start, stop);
    start = stop;
  }
}

/** Adjusts an index so that it does not split a surrogate pair. */
const afterSurrogatePair = (text: string, index: number): number =>
  /[\uDC00-\uDFFF]/.test(text.charAt(index)) ? index + 1 : index;
