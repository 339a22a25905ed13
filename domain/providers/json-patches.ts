import type { StreamEvent } from './api.ts';
import { isObject, type JsonObject } from './json-fields.ts';
import { changeAt, type Step } from './json-patch.ts';

/**
 * The members of a patch. All but the value may be omitted if they equal those of the previous
 * patch.
 */
const MEMBERS: ReadonlySet<string> = new Set(['p', 'o', 'v', 'c']);

const isPatch = (data: unknown): data is JsonObject =>
  isObject(data) && 'v' in data && Object.keys(data).every((member) => MEMBERS.has(member));

/**
 * The documents that a stream of patches builds, and the events that are not patches. ChatGPT sends
 * `{"p":"/message/content/parts/0","o":"append","v":"…"}`. DeepSeek uses other operation names and
 * paths without a leading slash. Both send `{"v":"…"}` if path and operation repeat.
 */
export function joinPatches(events: readonly StreamEvent[]): {
  documents: object[];
  others: StreamEvent[];
} {
  const documents: object[] = [];
  const others: StreamEvent[] = [];
  const apply = patcher(documents);
  for (const event of events)
    if (isPatch(event.data)) apply(event.data);
    else others.push(event);

  return { documents, others };
}

function patcher(documents: object[]): (patch: JsonObject) => void {
  let path: readonly string[] = [];
  let operation = 'add';
  let lastAppendPath: readonly string[] | undefined;

  return ({ p, o, v }) => {
    const isBare = p === undefined && o === undefined;
    if (typeof p === 'string') path = pathOf(p);
    if (typeof o === 'string') operation = o.toLowerCase();
    if (isObject(v) && (isBare || (path.length === 0 && operation === 'add'))) {
      documents.push(structuredClone(v));
      path = [];
      operation = 'add';
      return;
    }
    const document = documents.at(-1) ?? {};
    if (documents.length === 0) documents.push(document);
    for (const step of stepsOf({ path, operation, value: v }, lastAppendPath)) {
      changeAt(document, step);
      if (step.operation === 'append') lastAppendPath = step.path;
    }
  };
}

const pathOf = (path: string): string[] =>
  path
    .split('/')
    .filter((name) => name !== '')
    // RFC 6901 section 4.
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));

/**
 * Expands a batch: its value is a list of patches with paths relative to its own. Text after a
 * batch is appended where the last text was.
 */
function stepsOf(step: Step, lastAppendPath: readonly string[] | undefined): Step[] {
  const { path, operation, value } = step;
  const isBatch = operation === 'patch' || operation === 'batch';
  if (!isBatch && !isListOfPatches(value)) return [step];
  if (!Array.isArray(value))
    return lastAppendPath ? [{ path: lastAppendPath, operation: 'append', value }] : [];
  return value.filter(isObject).map(({ p, o, v }) => {
    const inner = [...path, ...(typeof p === 'string' ? pathOf(p) : [])];
    return {
      path: inner,
      operation: typeof o === 'string' ? o.toLowerCase() : defaultOperation(inner),
      value: v,
    };
  });
}

/** The default operation: append to texts, replace other values. */
const defaultOperation = (path: readonly string[]): string =>
  /^(?:\d+|content)$/.test(path.at(-1) ?? '') ? 'append' : 'replace';

const isListOfPatches = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((patch) => isObject(patch) && typeof patch['p'] === 'string' && 'v' in patch);
