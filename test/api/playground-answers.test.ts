import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlaygroundEvent } from '#contract/playground.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { MODEL_KEY, type ModelProvider, startModelProvider } from '../support/model-provider.ts';

/** Values that are not token counts but that some servers send. */
const ODD_COUNTS = [1.5, '3', -1, 1e300, {}];

/** The format of a provider for a response with this content and 4 output tokens. */
interface Words {
  answer: (content: unknown, tokens: unknown) => object;
  stream: (content: unknown, tokens: unknown) => object[];
  error: (message: string) => object;
  /** Invalid responses, with the expected error message. */
  unusable: [answer: object, line: string][];
  unusableEvents: [events: object[], line: string][];
}

const providers: Record<'openai' | 'anthropic', Words> = {
  openai: {
    answer: (content: unknown, tokens: unknown) => ({
      choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: tokens, completion_tokens: 4 },
    }),
    stream: (content: unknown, tokens: unknown) => [
      { choices: [{ delta: { role: 'assistant', content: '' } }] },
      { choices: [{ delta: { content }, finish_reason: 'stop' }] },
      { usage: { prompt_tokens: tokens, completion_tokens: 4 } },
    ],
    error: (message: string) => ({ error: { message, type: 'quota' } }),
    unusable: [
      [{}, 'choices: is missing'],
      [{ choices: [] }, 'choices\\[0\\]: is missing'],
      [{ choices: [{ finish_reason: 'stop' }] }, 'choices\\[0\\]\\.message: is missing'],
      [{ choices: [{ message: { content: 7 } }] }, '.*\\.content: expected a text, or an array.*'],
      [{ choices: [{ message: { content: [{ type: 'text' }] } }] }, '.*\\.content.*'],
    ],
    unusableEvents: [[[{ choices: 7 }], 'choices: Invalid input: expected array, received number']],
  },
  anthropic: {
    answer: (content: unknown, tokens: unknown) => ({
      type: 'message',
      content: Array.isArray(content) ? content : [{ type: 'text', text: content }],
      usage: { input_tokens: tokens, output_tokens: 4 },
    }),
    stream: (content: unknown, tokens: unknown) => [
      { type: 'message_start', message: { usage: { input_tokens: tokens, output_tokens: 1 } } },
      ...[content].flat().map((part) => ({
        type: 'content_block_delta',
        delta:
          typeof part === 'string'
            ? { type: 'text_delta', text: part }
            : { ...(part as { type: string }), type: `${(part as { type: string }).type}_delta` },
      })),
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } },
      { type: 'message_stop' },
    ],
    error: (message: string) => ({ type: 'error', error: { type: 'quota', message } }),
    unusable: [
      [{}, 'content: is missing'],
      [{ content: [7] }, 'content.*'],
      [{ content: [{ type: 'text', text: null }] }, 'content.*'],
    ],
    unusableEvents: [
      [[{ type: 'message_start', message: 7 }], 'message: Invalid input: expected object'],
      [[{ type: 'content_block_delta', delta: { type: 'text_delta' } }], 'delta.*'],
    ],
  },
};

const everywhere = (['openai', 'anthropic'] as const).flatMap((provider) =>
  databases.map((kind) => ({ provider, kind })),
);

describe.each(everywhere)('responses of $provider on $kind', ({ provider, kind }) => {
  const { answer, stream, error, unusable, unusableEvents } = providers[provider];
  let models: ModelProvider;
  let service: TestControlPlane;
  beforeAll(async () => {
    models = await startModelProvider();
    service = await startTestControlPlane(kind, {
      LLM_PROVIDER: provider,
      LLM_BASE_URL: provider === 'openai' ? `${models.url}/v1` : models.url,
      LLM_API_KEY: MODEL_KEY,
    });
  });
  afterAll(async () => {
    await service.stop();
    await models.stop();
  });

  const requestBody = (literal: unknown) => ({
    content: JSON.stringify(literal),
    config: { model: 'literal' },
  });
  const run = (literal: unknown) =>
    service.byOwner.playground.runPlayground({ body: requestBody(literal) });
  async function collect(literal: unknown): Promise<PlaygroundEvent[]> {
    const all: PlaygroundEvent[] = [];
    const events = service.byOwner.playground.runPlayground.events({ body: requestBody(literal) });
    for await (const event of events) all.push(event);
    return all;
  }
  const badGateway = (line: string) => ({
    status: 502,
    message: expect.stringMatching(new RegExp(`^${line}$`)) as string,
  });

  test.each([7, null, undefined])('a token count of %j is accepted', async (tokens) => {
    const whole = { output: 'Hello', tokens_in: tokens ?? 0, tokens_out: 4 };
    expect(await run(answer('Hello', tokens))).toMatchObject(whole);
    expect((await collect(stream('Hello', tokens))).at(-1)).toMatchObject(whole);
  });

  test.each(ODD_COUNTS)('a token count of %j counts as missing', async (tokens) => {
    const whole = { output: 'Hello', tokens_in: 0, tokens_out: 4 };
    expect(await run(answer('Hello', tokens))).toMatchObject(whole);
    expect((await collect(stream('Hello', tokens))).at(-1)).toMatchObject(whole);
  });

  test('an invalid usage counts no tokens', async () => {
    const nothing = { output: 'Hello', tokens_in: 0, tokens_out: 0 };
    expect(await run({ ...answer('Hello', 3), usage: 'much' })).toMatchObject(nothing);
  });

  test('the parts of a response are joined', async () => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] };
    const parts = [thinking, { type: 'text', text: 'Hel' }, { type: 'text', text: 'lo' }];
    expect(await run(answer(parts, 3))).toMatchObject({ output: 'Hello', tokens_in: 3 });
    const streamed = provider === 'openai' ? parts : [thinking, 'Hel', 'lo'];
    const events = await collect(stream(streamed, 3));
    expect(events.at(-1)).toMatchObject({ output: 'Hello', tokens_in: 3 });
  });

  test("an error inside a response is shown in the provider's words, without the key", async () => {
    const body = error(`quota of ${MODEL_KEY} exceeded`);
    const expectedError = badGateway('the model provider returned an error: quota of … exceeded');
    await expect(run(body)).rejects.toMatchObject(expectedError);
    await expect(collect(body)).rejects.toMatchObject(expectedError);
    await expect(run({ error: 'no model' })).rejects.toMatchObject(
      badGateway('the model provider returned an error: no model'),
    );
    await expect(run({ error: { code: 7 } })).rejects.toMatchObject(
      badGateway('the model provider returned an error: {"code":7}'),
    );
    expect(await run({ ...answer('Hello', 3), error: null })).toMatchObject({ output: 'Hello' });
  });

  test('a server without streaming is supported', async () => {
    expect(await collect(answer('Hello', 3))).toEqual([
      { delta: 'Hello' },
      expect.objectContaining({ output: 'Hello', tokens_in: 3 }),
    ]);
  });

  test.each(unusable)('%j is rejected with a description of the problem', async (literal, line) => {
    const expectedError = badGateway(`the model provider's response is invalid: ${line}`);
    await expect(run(literal)).rejects.toMatchObject(expectedError);
    await expect(collect(literal)).rejects.toMatchObject(expectedError);
  });

  test.each(unusableEvents)('in a stream, %j is rejected', async (literal, line) => {
    await expect(collect(literal)).rejects.toMatchObject(
      badGateway(`the model provider's response is invalid: ${line}.*`),
    );
  });

  test('in a comparison, odd responses do not affect the others', async () => {
    const literals = [answer('good', 3), answer('odd', 1.5), {}, error('quota exceeded')];
    const { results } = await service.byOwner.playground.comparePlayground({
      body: { variants: literals.map(requestBody) },
    });
    expect(results).toMatchObject([
      { output: 'good', tokens_in: 3, error: null },
      { output: 'odd', tokens_in: 0, error: null },
      { output: '', error: expect.stringMatching(/invalid: \w+: is missing$/) as string },
      { output: '', error: 'the model provider returned an error: quota exceeded' },
    ]);
  });
});
