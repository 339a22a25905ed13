import type { StreamEvent } from './api.ts';
import { joinGeminiChunks } from './gemini-stream.ts';
import { countOf, field, hasSome, isObject, listOf, setMember, textOf } from './json-fields.ts';

/** A message of a WebSocket, in the order of all messages. */
export interface LiveMessage {
  from: 'client' | 'server';
  data: unknown;
}

interface Live {
  request: object;
  response: object | null;
}

/**
 * Joins a conversation with Google's Live API into a request and a response in the format of
 * generateContent, with a candidate for each turn of the model. Audio is left out. Null for other
 * conversations.
 *
 * Source: https://ai.google.dev/api/live
 */
export function joinLiveMessages(messages: readonly LiveMessage[]): Live | null {
  if (!messages.some(isLive)) return null;
  const settings = {};
  const contents = createContents();
  const answers = createAnswers();
  for (const { from, data } of messages) {
    if (from === 'server') {
      if (answers.add(data)) contents.endTurn();
      continue;
    }
    const setup = field(data, 'setup');
    if (isObject(setup)) setAll(settings, setup);
    const content = field(data, 'clientContent') ?? field(data, 'client_content');
    contents.add(listOf(field(content, 'turns')));
    if ((field(content, 'turnComplete') ?? field(content, 'turn_complete')) === true)
      contents.endTurn();
    const input = field(data, 'realtimeInput') ?? field(data, 'realtime_input');
    const text = textOf(field(input, 'text'));
    if (text !== null) contents.add([{ role: 'user', parts: [{ text }] }]);
    const results = field(data, 'toolResponse') ?? field(data, 'tool_response');
    const parts = listOf(
      field(results, 'functionResponses') ?? field(results, 'function_responses'),
    ).map((functionResponse) => ({ functionResponse }));
    if (parts.length > 0) contents.add([{ role: 'user', parts }]);
  }
  return { request: { ...settings, contents: contents.all }, response: answers.response() };
}

const isLive = ({ from, data }: LiveMessage): boolean =>
  from === 'server'
    ? isObject(field(data, 'setupComplete')) ||
      isObject(field(data, 'serverContent')) ||
      Array.isArray(field(data, 'toolCall', 'functionCalls'))
    : textOf(field(data, 'setup', 'model')) !== null ||
      hasSome(field(data, 'clientContent') ?? field(data, 'client_content'), 'turns');

function setAll(target: object, facts: object): void {
  for (const [name, value] of Object.entries(facts)) setMember(target, name, value);
}

/** Collects the turns of the client. A text that several messages of a turn send in pieces is one. */
function createContents() {
  const all: unknown[] = [];
  let open: object | undefined;
  return {
    all,
    endTurn: (): void => void (open = undefined),
    add: (turns: readonly unknown[]): void => {
      for (const [index, turn] of turns.entries()) {
        const text = field(turn, 'parts', 0, 'text');
        const before = index === 0 ? field(open, 'text') : undefined;
        const isMore = typeof text === 'string' && typeof before === 'string';
        if (isMore && field(turn, 'role') !== 'model' && open) {
          setMember(open, 'text', before + text);
          const [, ...more] = listOf(field(turn, 'parts'));
          if (more.length > 0) all.push({ role: 'user', parts: more });
          continue;
        }
        const copy = structuredClone(turn);
        all.push(copy);
        const last = listOf(field(copy, 'parts')).at(-1);
        open = isObject(last) && field(copy, 'role') !== 'model' ? last : undefined;
      }
    },
  };
}

interface Answer {
  chunks: StreamEvent[];
  heard: string;
  spoken: string;
  usage: unknown;
}

const newAnswer = (): Answer => ({ chunks: [], heard: '', spoken: '', usage: undefined });

/** Collects the turns of the model. */
function createAnswers() {
  const answers: Answer[] = [];
  let isOpen = false;
  /** Returns whether the message ends a turn. */
  const add = (message: unknown): boolean => {
    const content = field(message, 'serverContent');
    const usage = field(message, 'usageMetadata');
    const turn = listOf(field(content, 'modelTurn', 'parts'));
    const parts = [
      ...turn.filter((part) => !hasSome(part, 'inlineData')),
      ...listOf(field(message, 'toolCall', 'functionCalls')).map((functionCall) => ({
        functionCall,
      })),
    ];
    const heard = textOf(field(content, 'inputTranscription', 'text')) ?? '';
    const spoken = textOf(field(content, 'outputTranscription', 'text')) ?? '';
    const isPart = turn.length > 0 || parts.length > 0 || heard !== '' || spoken !== '';
    // Usage may follow the end of its turn.
    if (!isOpen && (isPart || (answers.length === 0 && isObject(usage)))) {
      answers.push(newAnswer());
      isOpen = true;
    }
    const answer = answers.at(-1);
    if (answer) {
      if (parts.length > 0)
        answer.chunks.push({ name: null, data: { candidates: [{ content: { parts } }] } });
      answer.heard += heard;
      answer.spoken += spoken;
      if (isObject(usage)) answer.usage = usage;
    }
    const isEnd = field(content, 'turnComplete') === true || field(content, 'interrupted') === true;
    if (isEnd) isOpen = false;
    return isEnd;
  };
  const response = (): object | null =>
    answers.length === 0
      ? null
      : {
          candidates: answers.map(candidateOf),
          ...totalsOf(answers.map(({ usage }) => usage)),
        };
  return { add, response };
}

const candidateOf = ({ chunks, heard, spoken }: Answer, index: number): object => ({
  index,
  content: {
    role: 'model',
    parts: listOf(field(joinGeminiChunks(chunks), 'candidates', 0, 'content', 'parts')),
  },
  ...(heard !== '' && { inputTranscription: { text: heard } }),
  ...(spoken !== '' && { outputTranscription: { text: spoken } }),
});

/** Each turn has its own usage, in which the earlier turns are part of the prompt. */
function totalsOf(usages: readonly unknown[]): { usageMetadata?: object } {
  const totals: Record<string, number> = {};
  for (const name of COUNTS)
    for (const usage of usages) {
      const count = countOf(field(usage, name));
      if (count !== null) totals[name] = (totals[name] ?? 0) + count;
    }
  return Object.keys(totals).length > 0 ? { usageMetadata: totals } : {};
}

const COUNTS = [
  'promptTokenCount',
  'toolUsePromptTokenCount',
  'cachedContentTokenCount',
  'responseTokenCount',
  'thoughtsTokenCount',
  'totalTokenCount',
] as const;
