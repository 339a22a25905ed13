import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { TestControlPlane } from '../support/control-plane.ts';

/** Recorded requests of real clients, without data that identifies a person or a machine. */
export type Signal = 'logs' | 'traces' | 'metrics';
export interface Sample {
  signal: Signal;
  /** The request as OTLP in JSON. */
  body: object;
}

/**
 * Loads recorded requests by name, such as `codex-logs`, in the given order. Each call uses new
 * ids, which are the same in all of its requests.
 */
export async function loadSamples(...names: string[]): Promise<Sample[]> {
  const renamed = renaming();
  const samples: Sample[] = [];
  for (const name of names) {
    const text = await readFile(new URL(`samples/${name}.json`, import.meta.url), 'utf8');
    const signal = name.slice(name.lastIndexOf('-') + 1) as Signal;
    for (const body of JSON.parse(renamed(text)) as object[]) samples.push({ signal, body });
  }
  return samples;
}

const ids: [RegExp, () => string][] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, () => randomUUID()],
  [/(?<=raceId": ")[0-9a-f]{32}/g, () => randomBytes(16).toString('hex')],
  [/\b(?:req_|toolu_|call_|gr_|chatcmpl-)[0-9a-z]{16,}/g, () => `made_${randomUUID()}`],
  // Goose numbers sessions by day.
  [/\b20260301_1\b/g, () => `20260301_${randomInt(1e9)}`],
  [/(?<=(?:ulid|sessionId)",\s+"value": {\s*"stringValue": ")\w+/g, () => randomUUID()],
  [/(?<=prompt_id",\s+"value": {\s+"stringValue": ")[0-9a-f]{13}(?=")/g, () => randomUUID()],
];

function renaming(): (text: string) => string {
  const names = new Map<string, string>();
  const nameOf = (id: string, make: () => string): string => {
    const known = names.get(id) ?? make();
    names.set(id, known);
    return known;
  };
  return (text) =>
    ids.reduce((all, [pattern, make]) => all.replace(pattern, (id) => nameOf(id, make)), text);
}

/** Splits a request into one for each record, as if each had been exported alone. */
export function split({ signal, body }: Sample): Sample[] {
  const [resources, scopes, records] = {
    logs: ['resourceLogs', 'scopeLogs', 'logRecords'],
    traces: ['resourceSpans', 'scopeSpans', 'spans'],
    metrics: ['resourceMetrics', 'scopeMetrics', 'metrics'],
  }[signal] as [string, string, string];
  const all: Sample[] = [];
  for (const resource of listOf(body, resources))
    for (const scope of listOf(resource, scopes))
      for (const record of listOf(scope, records)) {
        const one = { ...scope, [records]: [record] };
        all.push({ signal, body: { [resources]: [{ ...resource, [scopes]: [one] }] } });
      }
  return all;
}

const listOf = (object: object, name: string): object[] =>
  (object as Record<string, object[]>)[name] ?? [];

type Service = Pick<TestControlPlane, 'byKey'>;

/** Sends the requests in order; returns the responses. */
export async function sendSamples({ byKey }: Service, samples: readonly Sample[]) {
  const routes = {
    logs: byKey.otel.exportLogs,
    traces: byKey.otel.exportTraces,
    metrics: byKey.otel.exportMetrics,
  };
  const answers: object[] = [];
  for (const { signal, body } of samples) answers.push(await routes[signal]({ body }));
  return answers;
}

/** The session id in the records of a sample. */
export function sessionOf(samples: readonly Sample[]): string {
  const text = JSON.stringify(samples);
  const found =
    /"key":"(?:session\.id|(?:cursor\.)?conversation\.id|ulid|sessionId)","value":{"stringValue":"([^"]+)"}/.exec(
      text,
    );
  if (!found?.[1]) throw new Error('the sample names no session');
  return found[1];
}
