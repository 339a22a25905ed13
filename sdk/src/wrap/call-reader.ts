import type { LlmCall, RequestedTool } from '../recording/types.ts';

/**
 * Builds an LLM call from the response of a provider: the whole response, or the events of a
 * stream.
 */
export interface CallReader {
  read(response: unknown): void;
  add(event: unknown): void;
  call(): LlmCall;
}

export interface Json {
  readonly [field: string]: unknown;
}

/** Reads a nested field of an untrusted value. Returns undefined if the path does not exist. */
export const field = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null ? (inner as Json)[name] : undefined,
    value,
  );

export const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The state of a reader, with the parts that have been read so far. */
export interface ReadState {
  model: string;
  id: string;
  usage: unknown;
  response: string;
  finishReason: string;
  /** The requested tools by index, because streams send their arguments in parts. */
  tools: Map<number, StreamedTool>;
}

interface StreamedTool {
  id: string;
  name: string;
  /** Parsed as JSON at the end if it is text. */
  arguments: unknown;
}

interface Format {
  body: unknown;
  /** Default: the field `model` of the body. */
  model?: string;
  prompt: unknown;
  /** Updates the state from a response, or from an event of a stream. */
  update: (state: ReadState, value: unknown, isEvent: boolean) => void;
  tokens: (usage: unknown) => Pick<LlmCall, 'tokensIn' | 'tokensOut'> & Partial<LlmCall>;
}

/**
 * Creates a reader that collects the latest model, id and usage, all text and all requested tools.
 */
export function readerOf({ body, model, prompt, update, tokens }: Format): CallReader {
  const state: ReadState = {
    model: model ?? text(field(body, 'model')),
    id: '',
    usage: undefined,
    response: '',
    finishReason: '',
    tools: new Map(),
  };
  return {
    read: (response) => update(state, response, false),
    add: (event) => update(state, event, true),
    call: () => ({
      model: state.model,
      ...(state.id && { responseId: state.id }),
      ...tokens(state.usage),
      ...(state.finishReason && { finishReason: state.finishReason }),
      ...(state.tools.size > 0 && { toolCalls: [...state.tools.values()].map(requested) }),
      promptPreview: previewOf(prompt),
      responsePreview: state.response,
    }),
  };
}

/** Updates model, id and usage from a response, or from an event with these fields. */
export function setCommonFields(state: ReadState, response: unknown, usage: unknown): void {
  state.model = text(field(response, 'model')) || state.model;
  state.id = text(field(response, 'id')) || state.id;
  if (typeof usage === 'object' && usage !== null) state.usage = usage;
}

/** Adds a requested tool, or further parts of its name and arguments. */
export function addTool(
  { tools }: ReadState,
  index: number,
  piece: { id?: unknown; name?: unknown; arguments?: unknown },
): void {
  const { id, name, arguments: earlier } = tools.get(index) ?? { id: '', name: '', arguments: '' };
  tools.set(index, {
    id: id || text(piece.id),
    name: name + text(piece.name),
    arguments:
      typeof piece.arguments === 'string'
        ? text(earlier) + piece.arguments
        : (piece.arguments ?? earlier),
  });
}

function requested({ id, name, arguments: given }: StreamedTool): RequestedTool {
  return { ...(id && { id }), name, arguments: parsed(given) };
}

/** Parses arguments. Models sometimes write arguments that are not JSON, which stay text. */
function parsed(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  if (given === '') return undefined;
  try {
    return JSON.parse(given) as unknown;
  } catch {
    return given;
  }
}

/** The preview of a prompt: text unchanged, messages as JSON. */
export const previewOf = (prompt: unknown): string =>
  typeof prompt === 'string' ? prompt : (JSON.stringify(prompt) ?? '');
