import { describe, expect, test, vi } from 'vitest';
import { OWNER } from '../support/control-plane.ts';
import { expectedResponse } from '../support/model-provider.ts';
import {
  expectedChatResult,
  chat,
  providersOnDatabases,
  setUpPlayground,
  variables,
} from '../support/playground.ts';

describe.each(providersOnDatabases)('the playground of $provider on $kind', (using) => {
  const { model } = using;
  const world = setUpPlayground(using);
  const result = expectedChatResult(using);

  const sendRequest = async (body: object, path = ''): Promise<Response> => {
    const { token } = await world.service.by({}).identity.login({ body: OWNER });
    return fetch(`${world.service.urls.public}/api/v1/prompts/playground/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify({ content: 'Hi', ...body }),
    });
  };

  const compare = (variants: object[]) =>
    world.service.byOwner.playground.comparePlayground({ body: { variants: variants as never } });

  test('a comparison keeps the order, and failures do not affect other results', async () => {
    const { results } = await compare([
      { content: 'one', config: { model } },
      { content: '{{two}}', config: { model: 'down' } },
      { content: chat, variables, config: { model } },
      { content: 'four', config: { model: 'unknown-model' } },
    ]);
    const failed = {
      output: '',
      tokens_in: 0,
      tokens_out: 0,
      cost: 0,
      latency_ms: expect.any(Number) as number,
    };
    expect(results).toEqual([
      expect.objectContaining({ output: expectedResponse(model, ['one']), error: null }),
      {
        ...failed,
        model: 'down',
        missing_variables: ['two'],
        ignored_settings: [],
        tool_calls: [],
        error: 'the model provider failed (503): The server is overloaded, …',
      },
      { ...result, error: null },
      expect.objectContaining({ ...failed, error: expect.stringMatching(/no model/) as string }),
    ]);
  });

  const repeated = { content: '{{a}}'.repeat(4000), variables: { a: 'x'.repeat(100_000) } };
  const tooLong =
    /^content: 400000000 characters with its variables filled in, at most 2000000 allowed$/;

  test('in a comparison, only variants that would become too long fail', async () => {
    const { results } = await compare([
      ...Array.from({ length: 9 }, () => repeated),
      { content: 'short', config: { model } },
    ]);
    for (const { error } of results.slice(0, 9)) expect(error).toMatch(tooLong);
    expect(results[9]).toMatchObject({ output: expectedResponse(model, ['short']), error: null });
  });

  test('an unexpected error fails only its own variant, in the usual error format', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    let broken = 0;
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      if (ms === 60_000 && (broken += 1) === 1) throw new TypeError('unforeseen');
      return timeout(ms);
    });
    const variants = [{ content: 'one' }, { content: 'two', config: { model } }];
    const response = await sendRequest({ variants, content: undefined }, 'compare/').finally(() =>
      vi.restoreAllMocks(),
    );
    const { results } = (await response.json()) as { results: object[] };
    const id = response.headers.get('x-request-id');
    expect(results).toEqual([
      expect.objectContaining({
        output: '',
        error: `internal error (request ${id})`,
      }),
      expect.objectContaining({ output: expectedResponse(model, ['two']), error: null }),
    ]);
  });

  test('a comparison sends all requests at the same time', async () => {
    const both = { content: 'Hi', config: { model: 'both' } };
    const { results } = await compare([both, both]);
    expect(results.map(({ error, cost }) => ({ error, cost }))).toEqual([
      { error: null, cost: 0 },
      { error: null, cost: 0 },
    ]);
  });
});
