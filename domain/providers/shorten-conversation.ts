import { field } from './json-fields.ts';
import { lastUserText } from './messages.ts';
import { endOfString, parseJson } from './parse-json.ts';

/**
 * Shortens the request of an LLM call by leaving out its oldest messages, so that it stays JSON:
 * cut at its end, a long conversation would lose its newest messages, its tools and its id. The
 * instructions before the first message, the last user message with text and the newest messages
 * stay, and a string with the number of left-out messages takes their place.
 *
 * Everything else stays as it was. The result is longer than `maxLength` if the rest of the request
 * is too long, and the text is returned unchanged if it is no JSON with a list of messages.
 */
export function shortenConversation(text: string, maxLength: number): string {
  if (text.length <= maxLength || parseJson(text) === undefined) return text;
  const lists = messageLists(text);
  if (lists.length === 0) return text;
  const longest = lists.reduce((a, b) => (lengthOf(b) > lengthOf(a) ? b : a));
  const { start, end, elements } = longest;
  const selected = selectElements(text, elements, maxLength - (text.length - lengthOf(longest)));
  return text.slice(0, start) + withMarks(text, elements, selected).join(',') + text.slice(end);
}

/** A part of a text. `end` is excluded. */
interface Span {
  start: number;
  end: number;
}

/** The inside of a list in JSON text, without its brackets. */
interface ListSpan extends Span {
  elements: Span[];
}

const lengthOf = ({ start, end }: Span): number => end - start;

/** Members whose lists are conversations, in the APIs of `apis.ts`. */
const CONVERSATIONS: ReadonlySet<string> = new Set([
  'messages',
  'input',
  'inputs',
  'contents',
  'chat_history',
  'items',
]);
/** The request itself, or an object within it: Code Assist nests that of Gemini. */
const MAX_DEPTH = 2;

interface OpenContainer {
  member: string;
  isList: boolean;
  /** Where the list or its current element starts. */
  start: number;
  from: number;
  elements: Span[];
}

/** Finds the conversations in a text that is JSON. */
function messageLists(text: string): ListSpan[] {
  const lists: ListSpan[] = [];
  const open: OpenContainer[] = [];
  let name = '';
  const endElement = (container: OpenContainer | undefined, end: number): void => {
    if (!container?.isList) return;
    if (text.slice(container.from, end).trim() !== '')
      container.elements.push({ start: container.from, end });
    container.from = end + 1;
  };
  const close = (end: number): void => {
    endElement(open.at(-1), end);
    const container = open.pop();
    if (!container?.isList || open.length > MAX_DEPTH) return;
    const isInObject = open.every(({ isList }) => !isList);
    if (isInObject && CONVERSATIONS.has(container.member))
      lists.push({ start: container.start, end, elements: container.elements });
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') {
      const end = endOfString(text, at);
      // Longer strings are values, not names of members.
      name = end - at < 20 ? text.slice(at + 1, end - 1) : '';
      at = end - 1;
    } else if (character === '{' || character === '[') {
      const start = at + 1;
      open.push({ member: name, isList: character === '[', start, from: start, elements: [] });
      name = '';
    } else if (character === '}' || character === ']') close(at);
    else if (character === ',') endElement(open.at(-1), at);
  }
  return lists;
}

const instructionRoles: readonly unknown[] = ['system', 'developer'];

/** Selects the elements that fit into `room` characters, by priority; the last one always stays. */
function selectElements(text: string, elements: readonly Span[], room: number): Set<number> {
  const valueAt = (index: number): unknown => {
    const span = elements[index];
    return span && parseJson(text.slice(span.start, span.end));
  };
  const last = elements.length - 1;
  const selected = new Set([last]);
  let used = elements[last] ? lengthOf(elements[last]) : 0;
  const keep = (index: number): boolean => {
    const span = elements[index];
    if (selected.has(index)) return true;
    // The mark in place of each gap is short, and there are at most two.
    if (!span || used + lengthOf(span) + 2 * MAX_MARK_LENGTH > room) return false;
    used += lengthOf(span) + 1;
    selected.add(index);
    return true;
  };
  let user = last;
  while (user >= 0 && !hasUserText(valueAt(user))) user -= 1;
  keep(user);
  for (let i = 0; instructionRoles.includes(field(valueAt(i), 'role')) && keep(i); i += 1);
  for (let i = last; i >= 0 && keep(i); i -= 1);
  return selected;
}

const hasUserText = (message: unknown): boolean =>
  lastUserText([message]) !== null || lastUserText([message], 'parts') !== null;

const MAX_MARK_LENGTH = 50;
const markOf = (count: number): string =>
  count === 1 ? '"[1 message, not uploaded]"' : `"[${count} messages, not uploaded]"`;

/** The selected elements, with a mark in place of each gap. */
function withMarks(
  text: string,
  elements: readonly Span[],
  selected: ReadonlySet<number>,
): string[] {
  const parts: string[] = [];
  let missing = 0;
  elements.forEach(({ start, end }, i) => {
    if (!selected.has(i)) return void (missing += 1);
    if (missing > 0) parts.push(markOf(missing));
    missing = 0;
    parts.push(text.slice(start, end));
  });
  return parts;
}
