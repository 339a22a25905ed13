import { expect, test, vi } from 'vitest';
import { HOST, QUESTION, SECRET, setUpCapture } from './testing/capture-world.ts';

const world = setUpCapture();

test('with enforced policies a call is redacted, reported and refused by the agent', async () => {
  let reached = 0;
  await world.serve((_, __, response) => {
    reached += 1;
    response.end('{"id":"chatcmpl-1"}');
  });
  await world.startCapturing({ enforce_policies: true });
  world.plane.verdict = { refused: true, policy: 'No mail', reason: 'PII detected: email' };
  const { text } = await world.sendRequest('/v1/chat/completions?key=abc', QUESTION);
  const message = `Blocked by your organization's policy "No mail": PII detected: email`;
  expect(JSON.parse(text)).toMatchObject({ error: { message } });
  expect(reached).toBe(0);
  expect(world.plane.checks).toEqual([
    {
      host: HOST,
      app_id: null,
      process: 'claude',
      user: 'ada',
      path: '/v1/chat/completions',
      provider: 'OpenAI',
      model: 'gpt-5-mini',
      request: QUESTION.replace('ada@example.com', '##EMAIL##').replace(SECRET, '##API_KEY##'),
      request_truncated: false,
      prompt: null,
      redactions: { EMAIL: 1, API_KEY: 1 },
    },
  ]);
  await vi.waitFor(() => expect(world.plane.captures).toHaveLength(1));
  expect(world.plane.captures).toMatchObject([
    { status: 403, refused: true, response_body: text, tokens_in: null },
  ]);
  world.plane.verdict = { refused: false, policy: null, reason: '' };
  expect((await world.sendRequest('/v1/chat/completions', QUESTION)).text).toBe(
    '{"id":"chatcmpl-1"}',
  );
  await vi.waitFor(() => expect(world.plane.captures).toHaveLength(2));
  expect(world.plane.captures[1]).not.toHaveProperty('refused');
});

test.each([
  [500, 'fails', 'the control plane did not answer'],
  [429, 'limits the checks', 'this device has too many calls at once'],
])(
  'a call passes if the control plane %s, %s, and the admin is notified',
  async (status, _, reason) => {
    await world.serve((_, __, response) => response.end('{"id":"chatcmpl-1"}'));
    await world.startCapturing({ enforce_policies: true });
    world.plane.refuse = (route) => (route === 'checkCall' ? { status, message: 'sorry' } : null);
    expect((await world.sendRequest('/v1/chat/completions', QUESTION)).text).toBe(
      '{"id":"chatcmpl-1"}',
    );
    const notice = `${HOST}: a call passed without a policy check: ${reason}`;
    await vi.waitFor(() =>
      expect(world.plane.heartbeats.at(-1)?.problems.join()).toContain(notice),
    );
  },
);

test('without enforcement no check is requested', async () => {
  await world.serve((_, __, response) => response.end('{"id":"chatcmpl-1"}'));
  await world.startCapturing();
  await world.sendRequest('/v1/chat/completions', QUESTION);
  expect(world.plane.calls.checkCall).toBe(0);
});
