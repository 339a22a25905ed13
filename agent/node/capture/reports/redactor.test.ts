import { afterEach, describe, expect, test, vi } from 'vitest';
import type { OwnRules } from '#contract/settings.ts';
import { createRedactor, noTenantRules, patternProblem } from './redactor.ts';

afterEach(() => vi.restoreAllMocks());

const own: OwnRules = {
  keys: [
    { key: 'customer.name', type: 'CUSTOMER' },
    { key: 'response_body.note', type: 'NOTE' },
  ],
  patterns: [{ name: 'PROJECT', pattern: '(?i)\\bproject-[a-z]+\\b' }],
};

const thrownBy = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

describe("with the tenant's rules", () => {
  test("the tenant's keys and patterns and all built-in types are redacted and counted", () => {
    const counts = {};
    const { redact } = createRedactor(own);
    const body = '{"customer":{"name":"Acme"},"note":"Project-Falcon, ada@example.com"}';
    expect(redact('request_body', body, counts)).toBe(
      '{"customer":{"name":"##CUSTOMER##"},"note":"##PROJECT##, ##EMAIL##"}',
    );
    expect(redact('response_body', '{"note":"x"}', counts)).toBe('{"note":"##NOTE##"}');
    expect(counts).toEqual({ CUSTOMER: 1, PROJECT: 1, EMAIL: 1, NOTE: 1 });
  });

  test('repeated requests for a path are redacted each time', () => {
    const { pathOf } = createRedactor(own);
    const paths = ['/v1/project-falcon?key=1', '/v1/chat', '/v1/project-falcon', '/v1/chat'];
    expect(paths.map(pathOf)).toEqual([
      '/v1/##PROJECT##',
      '/v1/chat',
      '/v1/##PROJECT##',
      '/v1/chat',
    ]);
  });
});

test.each(['/v1/x?key=1', '/v1/x#key', '/v1/x%3Fapi_key=Zk39dkQpZ81mWqLx92', '/v1/x%3fkey=1'])(
  'the path of %s has no query',
  (target) => {
    expect(createRedactor(noTenantRules).pathOf(target)).toBe('/v1/x');
  },
);

test('a path that is too long is cut between its parts, so that no placeholder is cut', () => {
  const path = `/${'a/'.repeat(1021)}project-falcon/more`;
  expect(createRedactor(own).pathOf(path)).toBe(`/${'a/'.repeat(1021)}`);
});

test.each(['(', 'x*', '((ab){30}){30}'])(
  'the pattern %s fails: nothing is redacted by it',
  (pattern) => {
    const error = thrownBy(() => createRedactor({ keys: [], patterns: [{ name: 'X', pattern }] }));
    expect(patternProblem(error)).toMatch(/cannot be used/);
  },
);

test('a pattern that takes too long fails, and its error does not quote the text', () => {
  const { redact } = createRedactor(own);
  let worked = 0;
  vi.spyOn(process, 'threadCpuUsage').mockImplementation(() => ({
    user: (worked += 100_000),
    system: 0,
  }));
  const error = thrownBy(() => redact('request_body', 'about project-falcon', {}));
  expect(patternProblem(error)).toMatch(/took too long/);
});

test('other errors are not reported', () => {
  expect(patternProblem(new Error('unexpected "sk-secret"'))).toBeNull();
});
