import { accent, EXPANSION } from '#lib/accent.ts';
import { compileMessage } from '@lingui/message-utils/compileMessage';

/** Adds accents and length to a text. Elements such as `<0>` stay unchanged. */
export function pseudoTranslate(text: string): string {
  const marked = text.replaceAll(/<\/?\w+\/?>|[A-Za-z]/g, (part) =>
    part.length === 1 ? accent(part) : part,
  );
  const end = marked.trimEnd();
  const letters = text.match(/[A-Za-z]/g)?.length ?? 0;
  return end + '·'.repeat(Math.ceil(letters * EXPANSION)) + marked.slice(end.length);
}

/** Compiles an English message to the pseudo-locale. Values stay unchanged. */
export const compilePseudo = (message: string): ReturnType<typeof compileMessage> =>
  compileMessage(message, pseudoTranslate);
