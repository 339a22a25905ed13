import type { JsonObject } from './json.ts';

export type Role = 'system' | 'user' | 'assistant' | 'tool';

/** The members of a part that its kind has no field for; null if there are none. */
interface Kept {
  rest: JsonObject | null;
}

export interface TextPart extends Kept {
  kind: 'text' | 'reasoning';
  text: string;
}

export interface ToolCallPart extends Kept {
  kind: 'tool_call';
  id: string | null;
  name: string;
  /** JSON, or text if the tool takes text. */
  input: unknown;
  /** The result that belongs to the call, once joined. */
  result?: JoinedResult;
}

export interface ToolResultPart extends Kept {
  kind: 'tool_result';
  id: string | null;
  name: string | null;
  failed: boolean;
  output: Part[];
}

export interface JoinedResult extends ToolResultPart {
  /** How the call was matched: by its id, or by order if the recording has no ids. */
  by: 'id' | 'order';
}

/** An image, audio or file. It is shown by reference and never loaded. */
export interface MediaPart {
  kind: 'media';
  type: string;
  url: string | null;
  value: JsonObject;
}

/** A part without a known format, as JSON. */
export interface DataPart {
  kind: 'data';
  value: unknown;
}

export type Part = TextPart | ToolCallPart | ToolResultPart | MediaPart | DataPart;

export interface Message extends Kept {
  /** Null for plain text without a known role. */
  role: Role | null;
  /** The role as recorded, if it differs. */
  label: string | null;
  /** Name of the participant or tool. */
  name: string | null;
  parts: Part[];
}

/** A recorded value as messages. Everything that is not a message is in `rest`. */
export interface Conversation {
  messages: Message[];
  /** Undefined if there is no rest. */
  rest: unknown;
}

export const textPart = (text: string, rest: JsonObject | null = null): TextPart => ({
  kind: 'text',
  text,
  rest,
});

export const textMessage = (text: string, role: Role | null): Message => ({
  role,
  label: null,
  name: null,
  parts: [textPart(text)],
  rest: null,
});
