import { describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { captureOf } from '../support/device-reports.ts';
import { setUpCapturedCalls } from '../support/captured-calls.ts';

const PATH = '/v1/responses';
const usage = { input_tokens: 1000, output_tokens: 200, total_tokens: 1200 };
const output = [
  { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'On its way.' }] },
];

describe.each(databases)('responses created in the background on %s', (kind) => {
  const world = setUpCapturedCalls(kind);
  const { iso, send, oneRun, runsOf, callsOf, captured, record, app } = world;

  const idOf = (name: string) => `resp_${name.padEnd(48, '0')}`;
  const exchange = (name: string, seconds: number, facts: object) =>
    captureOf(`${name} ${seconds}`, iso(seconds), {
      model: null,
      provider: null,
      tokens_in: null,
      tokens_out: null,
      ...app(name, { ended_at: iso(seconds + 1) }).captureFields,
      ...facts,
    });
  const response = (name: string, facts: object) =>
    JSON.stringify({
      id: idOf(name),
      object: 'response',
      background: true,
      model: 'gpt-4o-2024-08-06',
      output: [],
      ...facts,
    });
  const created = (name: string, seconds = 1) =>
    exchange(name, seconds, {
      path: PATH,
      request_body: JSON.stringify({
        model: 'gpt-4o',
        background: true,
        input: 'Where is my order?',
        conversation: 'c-1',
      }),
      response_body: response(name, { status: 'queued' }),
    });
  const fetched = (name: string, seconds: number, facts: object) =>
    exchange(name, seconds, {
      method: 'GET',
      path: `${PATH}/${idOf(name)}`,
      request_body: null,
      request_type: null,
      response_body: response(name, facts),
    });
  const completed = (name: string, seconds = 40) =>
    fetched(name, seconds, { status: 'completed', usage, output });

  const whole = {
    prompt_preview: 'Where is my order?',
    response_preview: 'On its way.',
    tokens_in: 1000,
    tokens_out: 200,
    finish_reason: 'completed',
  };

  test.each([
    ['one after the other', (...all: ReturnType<typeof created>[]) => all.map((one) => [one])],
    ['at once', (...all: ReturnType<typeof created>[]) => [all]],
  ])('request and response, reported %s, are one call', async (name, batchesOf) => {
    const pending = fetched(name, 20, { status: 'in_progress' });
    const batches = batchesOf(created(name), pending, completed(name), completed(name, 50));
    for (const batch of batches) await send(world.device, ...batch);
    const run = await oneRun(name);
    expect(run).toMatchObject({
      status: 'success',
      session_id: `c-1@${world.device.id}`,
      started_at: iso(1),
      completed_at: iso(41),
      tokens: 1200,
      llm_calls: [{ ...whole, started_at: iso(1), duration_ms: 40_000 }],
    });
    expect(run.llm_calls).toHaveLength(1);
    expect((await captured(name)).run_id).toBe(run.id);
    expect(await callsOf(name)).toMatchObject({ total_calls: 1, total_tokens: 1200 });
  });

  test('a response whose request was not captured is a call without a prompt', async () => {
    await send(world.device, completed('alone'));
    expect((await oneRun('alone')).llm_calls).toMatchObject([{ ...whole, prompt_preview: '' }]);
  });

  test('a response that failed is an error', async () => {
    const error = { code: 'server_error', message: 'The model is overloaded' };
    await send(world.device, created('failed'));
    await send(world.device, fetched('failed', 9, { status: 'failed', error }));
    expect(await oneRun('failed')).toMatchObject({ status: 'error', error: error.message });
  });

  test('a call that a client recorded itself stays', async () => {
    const run = await record('recorder', idOf('recorded'));
    await send(world.device, created('recorded'), completed('recorded'));
    expect(await runsOf('recorded')).toEqual([]);
    expect((await captured('recorded')).run_id).toBe(run);
    expect(await callsOf('recorder')).toMatchObject({ total_calls: 1, total_tokens: 110 });
  });
});
