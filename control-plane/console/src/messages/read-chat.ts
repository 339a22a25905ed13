import { t } from '@lingui/core/macro';
import type { ChatMessage, PromptContent } from '../data/prompt-sources.ts';
import type { Message, Part, ToolResultPart } from './parse/model.ts';
import { readConversation } from './parse/read-conversation.ts';

/** Counts the parts of a recorded prompt that the playground cannot send as they are. */
interface Loss {
  tools: number;
  reasoning: number;
  media: number;
  fields: number;
}

const noLoss = (): Loss => ({ tools: 0, reasoning: 0, media: 0, fields: 0 });

/**
 * Converts a recorded prompt to messages that can be sent again, with notes about what was changed
 * or omitted.
 */
export function readChat(prompt: string): { content: PromptContent; notes: string[] } {
  const loss = noLoss();
  return { content: contentOf(prompt, loss), notes: notesOf(loss) };
}

/** The text of a recorded response. */
export const readText = (response: string): string =>
  textOf(readConversation(response, 'assistant').messages, noLoss());

function contentOf(prompt: string, loss: Loss): PromptContent {
  const { messages, rest } = readConversation(prompt, 'user');
  const sent = messages.flatMap((message) => chatMessage(message, loss));
  if (sent.length > 0) {
    if (rest !== undefined) loss.fields += 1;
    return sent;
  }
  // JSON without messages is sent as a user message.
  return [{ role: 'user', content: rest === undefined ? prompt : JSON.stringify(rest, null, 2) }];
}

function chatMessage(message: Message, loss: Loss): ChatMessage[] {
  const role = roleOf(message);
  const media = role === 'user' ? message.parts.flatMap(mediaOf) : [];
  const text = partsText(message.parts, loss);
  const hasResult = message.parts.some(({ kind }) => kind === 'tool_result');
  if (message.role === 'tool' && !hasResult) loss.tools += 1;
  if (role !== 'user') loss.media += message.parts.flatMap(mediaOf).length;
  if (media.length > 0)
    return [{ role, content: [...(text ? [{ type: 'text' as const, text }] : []), ...media] }];
  return text === '' ? [] : [{ role, content: text }];
}

const roleOf = ({ role, label }: Message): ChatMessage['role'] => {
  if (label === 'developer') return 'developer';
  return role === 'system' || role === 'assistant' ? role : 'user';
};

const mediaOf = (part: Part) =>
  part.kind === 'media' && typeof part.value['type'] === 'string'
    ? [{ ...part.value, type: part.value['type'] }]
    : [];

const textOf = (messages: readonly Message[], loss: Loss): string =>
  messages
    .map(({ parts }) => partsText(parts, loss))
    .filter(Boolean)
    .join('\n\n');

const partsText = (parts: readonly Part[], loss: Loss): string =>
  parts
    .map((part) => partText(part, loss))
    .filter((text) => text !== '')
    .join('\n');

function partText(part: Part, loss: Loss): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'reasoning':
      loss.reasoning += 1;
      return '';
    case 'tool_call': {
      loss.tools += 1;
      const call = `[Tool call ${part.name}(${jsonOf(part.input)})]`;
      return part.result ? `${call}\n${resultText(part.result, loss)}` : call;
    }
    case 'tool_result':
      loss.tools += 1;
      return resultText(part, loss);
    case 'media':
      return typeof part.value['type'] === 'string' ? '' : jsonOf(part.value);
    case 'data':
      return jsonOf(part.value);
  }
}

/** Text of a tool result for a model, hence not translated. */
const resultText = ({ name, output }: ToolResultPart, loss: Loss): string =>
  `[Tool result${name === null ? '' : ` of ${name}`}] ${partsText(output, loss)}`;

const jsonOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

const notesOf = ({ tools, reasoning, media, fields }: Loss): string[] => [
  ...(tools > 0 ? [t`Tool calls and their results were converted to text.`] : []),
  ...(media > 0 ? [t`Images and files in assistant messages were omitted.`] : []),
  ...(fields > 0 ? [t`Fields other than the messages were omitted.`] : []),
  ...(reasoning > 0 ? [t`Reasoning was omitted.`] : []),
];
