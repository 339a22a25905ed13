import { accent, EXPANSION } from '#lib/accent.ts';
import { compileMessage } from '@lingui/message-utils/compileMessage';

/** Accented and longer; elements such as `<0>` stay. */
export function pseudoTranslate(text: string): string {
  const marked = text.replaceAll(/<\/?\w+\/?>|[A-Za-z]/g, (part) =>
    part.length === 1 ? accent(part) : part,
  );
  const end = marked.trimEnd();
  const letters = text.match(/[A-Za-z]/g)?.length ?? 0;
  return end + '·'.repeat(Math.ceil(letters * EXPANSION)) + marked.slice(end.length);
}

/** Puts an English message into the pseudo-locale; its values stay. */
export const compilePseudo = (message: string): ReturnType<typeof compileMessage> =>
  compileMessage(message, pseudoTranslate);
