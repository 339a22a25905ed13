import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_KEY, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';

describe.each(databases)('recording on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  const key = { 'X-Svc-Key': API_KEY };
  const post = (path: string, body: string, headers: Record<string, string> = key) =>
    fetch(`${service.urls.public}${path}`, { method: 'POST', body, headers });

  test.each([
    ['no JSON', '/api/v1/observe/runs/start/', '{', 400, /not valid JSON/],
    ['no body', '/api/v1/observe/runs/start/', '', 400, /agent_name/],
    ['a missing field', '/api/v1/observe/runs/start/', '{}', 400, /agent_name/],
    [
      'a wrong type',
      '/api/v1/observe/runs/1/llm-calls/',
      '{"calls":[{"model":"m","tokens_in":"1","tokens_out":1}]}',
      400,
      /calls\[0\]\.tokens_in/,
    ],
    [
      'an unknown kind',
      '/api/v1/observe/runs/1/spans/',
      '{"spans":[{"name":"x","kind":"y"}]}',
      400,
      /spans\[0\]\.kind/,
    ],
    [
      'an unknown run',
      '/api/v1/observe/runs/999999999/steps/',
      '{"steps":[]}',
      404,
      /no run 999999999/,
    ],
    ['an id that is none', '/api/v1/observe/runs/abc/steps/', '{"steps":[]}', 404, /"abc"/],
    [
      'a number beyond all ids',
      '/api/v1/observe/runs/99999999999999999999/steps/',
      '{"steps":[]}',
      404,
      /no run_id/,
    ],
    [
      'a NUL',
      '/api/v1/observe/runs/start/',
      '{"agent_name":"a\\u0000b"}',
      400,
      /agent_name: contains a NUL/,
    ],
    [
      'half a surrogate pair',
      '/api/v1/observe/runs/start/',
      '{"agent_name":"a\\ud800"}',
      400,
      /agent_name: contains a lone/,
    ],
    ['a NUL in the path', '/api/v1/observe/runs/%00/steps/', '{"steps":[]}', 404, /no run_id/],
    [
      'a name too long to index',
      '/api/v1/observe/runs/start/',
      `{"agent_name":"${'a'.repeat(12_000)}"}`,
      400,
      /agent_name/,
    ],
    [
      'nesting beyond any use',
      '/api/v1/observe/runs/start/',
      `{"agent_name":"a","inputs":${'{"in":'.repeat(5000)}1${'}'.repeat(5001)}`,
      400,
      /nested more than 100/,
    ],
    [
      'absurd numbers',
      '/api/v1/observe/runs/1/llm-calls/',
      '{"calls":[{"model":"m","tokens_in":9007199254740991,"tokens_out":1,"cost":1.7e308}]}',
      400,
      /tokens_in.*cost/,
    ],
    [
      'a number that is none',
      '/api/v1/observe/runs/1/spans/',
      '{"spans":[{"name":"x","kind":"tool","attributes":{"a":[-1e999]}}]}',
      400,
      /^body\.spans\[0\]\.attributes\.a\[0\]: number out of range$/,
    ],
    [
      'an array over the maximum',
      '/api/v1/observe/runs/1/steps/',
      `{"steps":[${'{"step_name":"s"},'.repeat(1000)}{"step_name":"s"}]}`,
      400,
      /^steps: /,
    ],
    [
      'a thousand mistakes',
      '/api/v1/observe/runs/1/steps/',
      `{"steps":[${'{},'.repeat(999)}{}]}`,
      400,
      /and 995 more$/,
    ],
    ['an absent endpoint', '/api/v1/observe/nothing/', '{}', 404, /no POST/],
  ])('%s is rejected with one clear line', async (_name, path, body, status, line) => {
    const response = await post(path, body);
    expect([response.status, response.headers.get('x-request-id')?.length]).toEqual([status, 36]);
    const { error } = (await response.json()) as { error: string };
    expect(error).toMatch(line);
    expect(error).not.toContain('\n');
    expect(error.length).toBeLessThan(2000);
  });
});
