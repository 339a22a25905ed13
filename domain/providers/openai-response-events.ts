import { type IndexedParts, indexedParts } from './indexed-parts.ts';
import { field, isObject, type JsonObject, listOf, setMember } from './json-fields.ts';

export interface ResponseJoiner {
  /** Adds an event; returns false if it does not belong to a response. */
  add(event: unknown): boolean;
  response(): object;
}

/** An output item, whose texts are appended to until an event has the complete item. */
interface Item {
  value: object;
  content: IndexedParts<object>;
  summary: IndexedParts<object>;
}

/** Builds a response of the Responses or Realtime API from its events. */
export function responseJoiner(): ResponseJoiner {
  let head: JsonObject = {};
  let error: unknown;
  const items = indexedParts<Item>(() => itemOf({}));
  const indexOf = outputIndexes();

  const add = (event: unknown): boolean => {
    const type = field(event, 'type');
    if (!isObject(event) || typeof type !== 'string') return false;
    if (isObject(event['response'])) head = { ...head, ...event['response'] };
    else if (type === 'error') error = event['error'] ?? errorOf(event);
    else if (type.startsWith('response.output_item.') && isObject(event['item']))
      items.put(indexOf(event), itemOf(event['item']));
    else
      return (
        type.startsWith('response.') &&
        addToItem(items, type, { ...event, output_index: indexOf(event) })
      );
    return true;
  };

  const response = (): object => {
    const { output, ...facts } = head;
    const joined = items.all().map(completeItem);
    // ChatGPT's server ends Codex's streams with a response without output.
    const isComplete = Array.isArray(output) && output.length >= joined.length;
    return {
      ...facts,
      ...(error !== undefined && { error }),
      output: isComplete ? output : joined,
    };
  };
  return { add, response };
}

/**
 * The index of an event's item. Its id tells items apart only if there is no index: some servers
 * give one item a different id in each event.
 */
function outputIndexes(): (event: JsonObject) => number {
  const known = new Map<unknown, number>();
  return (event) => {
    const index = event['output_index'];
    if (typeof index === 'number') return index;
    const id = event['item_id'] ?? field(event['item'], 'id');
    const ofItem = known.get(id) ?? known.size;
    known.set(id, ofItem);
    return ofItem;
  };
}

const errorOf = ({ code = null, message = null }: JsonObject): object => ({ code, message });

const itemOf = (value: object): Item => ({
  value: { ...value },
  content: partsOf(field(value, 'content')),
  summary: partsOf(field(value, 'summary')),
});

function partsOf(list: unknown): IndexedParts<object> {
  const parts = indexedParts<object>(() => ({}));
  for (const [index, part] of listOf(list).entries())
    if (isObject(part)) parts.put(index, structuredClone(part));
  return parts;
}

const completeItem = ({ value, content, summary }: Item): object => ({
  ...value,
  ...(content.all().length > 0 && { content: content.all() }),
  ...(summary.all().length > 0 && { summary: summary.all() }),
});

/** The member that an event appends to: of an item, or of one of its parts. */
interface TextTarget {
  list?: 'content' | 'summary';
  /** The type of the part. */
  type?: string;
  member: string;
}

const inContent = (type: string, member = 'text'): TextTarget => ({
  list: 'content',
  type,
  member,
});

const textTargets: ReadonlyMap<string, TextTarget> = new Map<string, TextTarget>([
  ['output_text', inContent('output_text')],
  ['refusal', inContent('refusal', 'refusal')],
  ['reasoning_text', inContent('reasoning_text')],
  ['reasoning_summary_text', { list: 'summary', type: 'summary_text', member: 'text' }],
  ['function_call_arguments', { member: 'arguments' }],
  ['custom_tool_call_input', { member: 'input' }],
  ['mcp_call_arguments', { member: 'arguments' }],
  ['code_interpreter_call_code', { member: 'code' }],
  ['output_audio_transcript', inContent('output_audio', 'transcript')],
  // These are the names in the beta of the Realtime API.
  ['text', inContent('text')],
  ['audio_transcript', inContent('audio', 'transcript')],
]);

const TEXT_EVENT = /^response\.(.+)\.(delta|done)$/;
const PART_EVENT = /^response\.(?:content|reasoning_summary)_part\.(?:added|done)$/;

function addToItem(items: IndexedParts<Item>, type: string, event: JsonObject): boolean {
  const [, kind = '', step] = TEXT_EVENT.exec(type) ?? [];
  const target = textTargets.get(kind);
  if (target) {
    addText(targetOf(items.at(event['output_index']), target, event), target.member, event, step);
    return true;
  }
  const item = items.at(event['output_index']);
  if (PART_EVENT.test(type) && isObject(event['part'])) {
    const list = type.includes('summary') ? 'summary' : 'content';
    item[list].put(indexIn(list, event), structuredClone(event['part']));
  } else if (type === 'response.output_text.annotation.added') {
    const part = targetOf(item, inContent('output_text'), event);
    addAnnotation(part, event['annotation']);
  }
  // All other events report progress.
  return true;
}

function addAnnotation(part: object, annotation: unknown): void {
  const known = field(part, 'annotations');
  if (Array.isArray(known)) known.push(annotation);
  else setMember(part, 'annotations', [annotation]);
}

const indexIn = (list: 'content' | 'summary', event: JsonObject): unknown => event[`${list}_index`];

function targetOf(item: Item, { list, type }: TextTarget, event: JsonObject): object {
  if (!list) return item.value;
  const part = item[list].at(indexIn(list, event));
  if (type !== undefined && !Object.hasOwn(part, 'type')) setMember(part, 'type', type);
  return part;
}

function addText(
  target: object,
  member: string,
  event: JsonObject,
  step: string | undefined,
): void {
  const known = field(target, member);
  const text = step === 'delta' ? event['delta'] : event[member];
  if (typeof text !== 'string') return;
  const isMore = step === 'delta' && typeof known === 'string';
  setMember(target, member, isMore ? known + text : text);
}
