import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { replay } from './replay.ts';
import { recordings } from './table.ts';
import type { ReadRun } from './compare.ts';
import { runsOf } from './try-client.ts';

/** What a recording says beyond the cells of the table. */
interface Case {
  title: string;
  client: string;
  read: (runs: readonly ReadRun[]) => unknown;
  expected: unknown;
}

const ofCalls =
  <T>(read: (call: ReadRun['llm_calls'][number]) => T) =>
  (runs: readonly ReadRun[]): T[] =>
    runs.flatMap(({ llm_calls }) => llm_calls.map(read));

const cases: readonly Case[] = [
  {
    title: 'the time to the first token is sent in milliseconds',
    client: 'strands-native',
    read: ofCalls(({ time_to_first_token_ms }) => time_to_first_token_ms),
    expected: [7596, 388, null],
  },
  {
    title: 'the creation of an agent is no run',
    client: 'autogen-native',
    read: (runs) => runs.map(({ status, llm_calls }) => [status, llm_calls.length]),
    expected: [
      ['success', 2],
      ['error', 1],
    ],
  },
  ...['openai-agents-openinference', 'openai-agents-openllmetry'].map((client) => ({
    title: 'a run fails with its agent, although the status of the workflow is OK',
    client,
    read: (runs: readonly ReadRun[]) => runs.map(({ status }) => status),
    expected: ['success', 'error'],
  })),
];

describe('recorded exports of real clients, in detail', () => {
  let service: TestControlPlane;
  const runs = new Map<string, ReadRun[]>();
  beforeAll(async () => {
    service = await startTestControlPlane('sqlite');
    const used = new Set(cases.map(({ client }) => client));
    for (const recording of recordings().filter(({ client }) => used.has(client))) {
      await replay(service, recording);
      runs.set(recording.client, await runsOf(service, recording.requests));
    }
  });
  afterAll(() => service.stop());

  test.each(cases.map((one) => [one.client, one.title, one] as const))(
    '%s: %s',
    (_client, _title, { client, read, expected }) => {
      expect(read(runs.get(client) ?? [])).toEqual(expected);
    },
  );
});
