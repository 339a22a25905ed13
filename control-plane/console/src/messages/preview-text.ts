import type { Message } from './parse/model.ts';
import { parseJson } from './parse/json.ts';
import { readConversation } from './parse/read-conversation.ts';

/**
 * One line of plain text for a recorded prompt or response: the last text of a person, otherwise
 * the last text. Lists truncate JSON, so texts are also found in incomplete JSON.
 */
export function previewText(recorded: string): string {
  if (!/^\s*[[{]/.test(recorded)) return oneLine(recorded);
  return oneLine(
    parseJson(recorded) === undefined ? lastTextOf(recorded) : textOfMessages(recorded),
  );
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function textOfMessages(recorded: string): string {
  const { messages } = readConversation(recorded, null);
  const texts = messages.map((message) => ({ role: message.role, text: textOf(message) }));
  const found =
    texts.findLast(({ role, text }) => role === 'user' && text !== '') ??
    texts.findLast(({ text }) => text !== '');
  return found?.text ?? recorded;
}

const textOf = ({ parts }: Message): string =>
  parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join(' ');

/** Matches the members that contain text in message formats. */
const TEXTS = /"(?:content|text|prompt|input|question|parts)"\s*:\s*\[?\s*"((?:[^"\\]|\\.)*)/g;

function lastTextOf(cut: string): string {
  const last = [...cut.matchAll(TEXTS)]
    .map(([, text = '']) => text)
    .findLast((text) => text !== '');
  return last === undefined ? cut : unescaped(last);
}

function unescaped(text: string): string {
  try {
    // A truncated text may end inside an escape such as \u00.
    return JSON.parse(`"${text.replace(/\\u[0-9a-f]{0,3}$/i, '')}"`) as string;
  } catch {
    return text;
  }
}
