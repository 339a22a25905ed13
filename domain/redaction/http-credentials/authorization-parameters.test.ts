import { describe, expect, test } from 'vitest';
import { parameterSchemes } from './authorization-parameters.ts';
import { authorization } from './request-credentials.ts';
import { redactJson } from '../redact-json.ts';
import { memberRules } from '../member-rules.ts';
import { marked, unmarked } from '../testing/marked.ts';

describe.each(parameterSchemes)('$scheme', ({ scheme, example, counterExample }) => {
  const name = scheme.split('|')[0] ?? '';
  const escaped = example.replaceAll('"', String.raw`\"`);
  test.each([
    `Authorization: ${name} ${example}\r\nHost: a`,
    `proxy-authorization: ${name.toLowerCase()} ${example}`,
    `curl -H 'Authorization: ${name} ${example}' https://example.com`,
    `log: {"authorization":"${name} ${escaped}"} sent`,
    `headers = {"Authorization": '${name} ${example}'}`,
    `Authorization: ${name} ${example.replaceAll(/[,;](?=\s?\w+=)/g, ',\r\n  ')}`,
  ])('the credentials in %j', (text) => {
    expect(marked(unmarked(text), authorization)).toBe(text);
  });

  test('no credentials in the counter-example, in a challenge or beside another name', () => {
    for (const text of [
      `Authorization: ${name} ${counterExample}`,
      `WWW-Authenticate: ${name} ${unmarked(example)}`,
    ])
      expect(marked(text, authorization)).toBe(text);
  });

  test('a member of JSON is masked as a whole', () => {
    const value = { headers: { authorization: `${name} ${unmarked(example)}` } };
    const rules = { detectors: [authorization], keys: memberRules([]) };
    expect(redactJson(value, rules).value).toEqual({
      headers: { authorization: '##AUTHORIZATION##' },
    });
  });
});

test.each([
  'Authorization: Digest username="ann", realm="a", nonce="7ypf/xlj9XXwfDPEoM4URrv", qop=auth',
  'authorization: digest response handling is described in RFC 7616',
  'Authorization: Hawk id="dh37fgj492je", nonce="j4h3g2", hash="Yi9LfIIFRtBEPt74PVmbTF2p"',
  'const response = digest(authorization, "753927fa0e85d155564e2e272a28d180")',
])('nothing in %j', (text) => {
  expect(marked(text, authorization)).toBe(text);
});
