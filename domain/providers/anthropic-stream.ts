import type { StreamEvent } from './api.ts';
import { type IndexedParts, indexedParts } from './indexed-parts.ts';
import { field, isObject, type JsonObject, listOf, setMember, textOf } from './json-fields.ts';
import { parseTruncatedJson } from './parse-json.ts';

interface Block {
  block: object;
  /** The JSON of a tool's input received so far. */
  inputJson: string;
}

interface Joining {
  message: Record<string, unknown>;
  usage: object;
  blocks: IndexedParts<Block>;
  error: unknown;
}

/** The message that Anthropic's stream events build; null for other events. */
export function joinMessageEvents(events: readonly StreamEvent[]): object | null {
  const joining: Joining = {
    message: {},
    usage: {},
    blocks: indexedParts<Block>(() => ({ block: {}, inputJson: '' })),
    error: undefined,
  };
  let isKnown = false;
  for (const { data } of events) {
    const type = field(data, 'type');
    const step = typeof type === 'string' ? steps.get(type) : undefined;
    if (!step || !isObject(data)) continue;
    step(joining, data);
    isKnown = true;
  }
  return isKnown ? joined(joining) : null;
}

function joined({ message, usage, blocks, error }: Joining): object {
  const content = blocks.all().map(completeBlock);
  const hasMessage = Object.keys(message).length > 0 || content.length > 0;
  if (!hasMessage) return { type: 'error', error };
  // The usage and the error precede the content, so that they remain if a long answer is truncated.
  return { ...message, usage, ...(error !== undefined && { error }), content };
}

/** A copy, because deltas are appended to the block. */
const newBlock = (block: object): Block => ({ block: structuredClone(block), inputJson: '' });

const steps: ReadonlyMap<string, (joining: Joining, event: JsonObject) => void> = new Map([
  [
    'message_start',
    ({ message, usage, blocks }, event) => {
      if (!isObject(event['message'])) return;
      const { usage: counts, content, ...facts } = event['message'];
      setAll(message, facts);
      setKnown(usage, counts);
      for (const [index, block] of listOf(content).entries())
        if (isObject(block)) blocks.put(index, newBlock(block));
    },
  ],
  [
    'content_block_start',
    ({ blocks }, { index, content_block: block }) => {
      if (isObject(block)) blocks.put(index, newBlock(block));
    },
  ],
  ['content_block_delta', ({ blocks }, { index, delta }) => addDelta(blocks.at(index), delta)],
  [
    'message_delta',
    ({ message, usage }, { delta, usage: counts, context_management: context }) => {
      if (isObject(delta)) setAll(message, delta);
      if (context) setMember(message, 'context_management', context);
      // Totals of the whole message so far, not increments.
      setKnown(usage, counts);
    },
  ],
  [
    'error',
    (joining, { error }) => {
      joining.error = error;
    },
  ],
]);

function setAll(target: object, facts: object): void {
  for (const [name, value] of Object.entries(facts)) setMember(target, name, value);
}

function setKnown(target: object, facts: unknown): void {
  if (!isObject(facts)) return;
  for (const [name, value] of Object.entries(facts))
    if (value !== null || !Object.hasOwn(target, name)) setMember(target, name, value);
}

/** Merges a delta's members into the block; unknown string members are concatenated. */
function addDelta(part: Block, delta: unknown): void {
  if (!isObject(delta)) return;
  const { type, ...members } = delta;
  for (const [name, value] of Object.entries(members)) {
    const known: unknown = Object.hasOwn(part.block, name)
      ? (part.block as JsonObject)[name]
      : undefined;
    if (type === 'input_json_delta') part.inputJson += textOf(value) ?? '';
    else if (type === 'citations_delta')
      setMember(part.block, 'citations', appendItem(field(part.block, 'citations'), value));
    else if (REPLACING.has(type) || typeof value !== 'string') setMember(part.block, name, value);
    else setMember(part.block, name, typeof known === 'string' ? known + value : value);
  }
}

/** Deltas with a complete value instead of an increment. */
const REPLACING: ReadonlySet<unknown> = new Set(['signature_delta', 'compaction_delta']);

function appendItem(items: unknown, item: unknown): unknown[] {
  if (!Array.isArray(items)) return [item];
  items.push(item);
  return items;
}

/** Input that is neither JSON nor the beginning of JSON stays text. */
const completeBlock = ({ block, inputJson }: Block): object =>
  inputJson === '' ? block : { ...block, input: parseTruncatedJson(inputJson) ?? inputJson };
