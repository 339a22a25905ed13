import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { replay } from './replay.ts';
import { scenario } from './scenario.ts';
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

const toolsOf = (runs: readonly ReadRun[]) =>
  runs.flatMap(({ spans }) =>
    spans.flatMap(({ kind, name, output_data }) => (kind === 'tool' ? [[name, output_data]] : [])),
  );

const cases: readonly Case[] = [
  {
    title: 'the time to the first token is sent in milliseconds',
    client: 'strands-native',
    read: ofCalls(({ time_to_first_token_ms: ms, duration_ms }) =>
      ms === null ? null : ms > 0 && ms <= (duration_ms ?? 0),
    ),
    expected: [true, true, null],
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
  ...[
    ['strands-native', ['tool_use', 'end_turn', null]],
    ['strands-native-js', ['toolUse', 'endTurn', null]],
  ].map(([client, expected]) => ({
    title: 'the finish reason is in the choice',
    client: client as string,
    read: ofCalls(({ finish_reason }) => finish_reason),
    expected,
  })),
  ...['openai-openinference', 'crewai-openinference'].map((client) => ({
    title: 'a failed call has the model of the request',
    client,
    read: ofCalls(({ model }) => model),
    expected: ['gpt-4o-2024-11-20', 'gpt-4o-2024-11-20', 'gpt-4o'],
  })),
  ...[
    'langchain-openinference-js',
    'langfuse-openai',
    'langfuse-openai-js',
    'strands-native',
    'strands-native-js',
  ].map((client) => ({
    title: 'the provider is that of the model',
    client,
    read: ofCalls(({ provider }) => provider),
    expected: ['openai', 'openai', 'openai'],
  })),
  {
    title: 'the result of the agent is that of the run',
    client: 'pydantic-ai-native',
    read: (runs) => runs.map(({ result }) => result),
    expected: [{ value: scenario.answer }, null],
  },
  {
    title: 'tools have their names',
    client: 'dspy-openinference',
    read: (runs) => toolsOf(runs).map(([name]) => name),
    expected: [scenario.tool, 'finish'],
  },
  ...['langchain-openinference', 'langchain-openinference-js', 'langchain-openllmetry'].map(
    (client) => ({
      title: 'the output of a tool is its text',
      client,
      read: toolsOf,
      expected: [[scenario.tool, { value: scenario.toolResult }]],
    }),
  ),
  ...['langchain-openinference', 'langchain-openinference-js'].map((client) => ({
    title: 'the result of a run has plain messages',
    client,
    read: (runs: readonly ReadRun[]) => runs[0]?.result,
    expected: {
      messages: [
        { role: 'user', content: scenario.question },
        expect.objectContaining({ role: 'assistant', content: '', name: scenario.agent }),
        expect.objectContaining({ role: 'tool', content: scenario.toolResult }),
        { role: 'assistant', content: scenario.answer, name: scenario.agent },
      ],
    },
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
