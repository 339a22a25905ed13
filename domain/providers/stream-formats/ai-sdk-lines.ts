import type { StreamEvent } from '../api.ts';
import { field, isObject } from '../json-fields.ts';
import { parseJson } from '../parse-json.ts';

const firstLine = /^[0-9a-k]:(?:"|\[|\{)/;
const partOfLine = /^([0-9a-k]):(.+)$/;

export const looksLikeAiSdkLines = (text: string): boolean => firstLine.test(text);

/**
 * The parts of a data stream of the AI SDK up to version 4: one a line, a code and its JSON. They
 * become events like those of version 5. Facts from
 * https://github.com/vercel/ai/blob/0733307/packages/ui-utils/src/data-stream-parts.ts and
 * https://v4.ai-sdk.dev/docs/ai-sdk-ui/stream-protocol
 */
export function readAiSdkLines(text: string): StreamEvent[] {
  return text.split('\n').flatMap((line): StreamEvent[] => {
    const [, code, json] = partOfLine.exec(line) ?? [];
    const value = json === undefined ? undefined : parseJson(json);
    if (code === undefined || value === undefined) return [];
    return [{ name: null, data: (events[code] ?? otherEvent(code))(value) }];
  });
}

const events: Readonly<Record<string, (value: unknown) => object>> = {
  '0': (delta) => ({ type: 'text-delta', id: '', delta }),
  g: (delta) => ({ type: 'reasoning-delta', id: '', delta }),
  b: (value) => ({ ...membersOf(value), type: 'tool-input-start' }),
  c: (value) => ({
    type: 'tool-input-delta',
    toolCallId: field(value, 'toolCallId'),
    inputTextDelta: field(value, 'argsTextDelta'),
  }),
  '9': (value) => ({
    type: 'tool-input-available',
    toolCallId: field(value, 'toolCallId'),
    toolName: field(value, 'toolName'),
    input: field(value, 'args'),
  }),
  a: (value) => ({
    type: 'tool-output-available',
    toolCallId: field(value, 'toolCallId'),
    output: field(value, 'result'),
  }),
  '3': (errorText) => ({ type: 'error', errorText }),
  d: (value) => ({ ...membersOf(value), type: 'finish' }),
  e: (value) => ({ ...membersOf(value), type: 'finish-step' }),
  f: (value) => ({ ...membersOf(value), type: 'start-step' }),
};

/** Sources, files, annotations, and the application's own data. */
const otherEvent =
  (code: string) =>
  (value: unknown): object => ({ type: `part ${code}`, value });

const membersOf = (value: unknown): object => (isObject(value) ? value : {});
