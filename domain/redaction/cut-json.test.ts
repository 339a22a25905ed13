import { expect, test } from 'vitest';
import { builtinDetectors } from './builtin.ts';
import { memberRules } from './member-rules.ts';
import { redactJson } from './redact-json.ts';

// The answer of a client that gives up ends anywhere, perhaps between a value and its name.

const rules = { detectors: builtinDetectors(), keys: memberRules([]) };
const redacted = (text: string): string => redactJson(text, rules).value;

const SECRET = 'rd6vldo1kurxmobhwqc4epee';
const LEAST = 12;

test.each([
  { value: SECRET, key: 'facebook_client_secret', secure: true },
  { env: [{ value: SECRET, name: 'DB_PASSWORD' }], region: 'eu' },
  [{ plaintext: SECRET, secure: true, name: 'api_token' }],
  { args: JSON.stringify([{ value: SECRET, key: 'client_secret' }]) },
])('%j, cut anywhere, does not show its secret', (value) => {
  const json = JSON.stringify(value);
  for (const before of ['', 'it is '])
    for (let end = json.indexOf(SECRET) + LEAST; end <= json.length; end += 1) {
      const text = before + json.slice(0, end);
      expect(redacted(text)).not.toContain(SECRET.slice(0, LEAST));
    }
});

test('a JSON web key whose type would come last does not show its private part', () => {
  const part = 'jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI';
  const json = JSON.stringify({ alg: 'HS256', k: part, kid: '1', kty: 'oct' });
  for (let end = json.indexOf(part) + part.length; end <= json.length; end += 1)
    expect(redacted(json.slice(0, end))).not.toContain(part);
});

test.each([
  `{"value":"${SECRET}","key":"colour"}`,
  `{"value":"${SECRET}"}, {"value":`,
  '{"value":"Paris","unit":',
  '{"text":"The weather in Paris is nice, and',
  '{"q":"how to sort a list","k":5,"d',
  '{"n":1,"items":["a"',
])('%s stays', (text) => {
  expect(redacted(text)).toBe(text);
});
