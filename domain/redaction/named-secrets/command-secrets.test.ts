import { expect, test } from 'vitest';
import { builtinDetectors } from '../builtin.ts';
import { commandSecrets } from './command-options.ts';
import { credentialParameters } from '../http-credentials/credential-parameters.ts';
import { redactText } from '../redact-text.ts';

const rows = [
  ...commandSecrets,
  ...credentialParameters.map((rule) => ({ type: 'AUTHORIZATION' as const, ...rule })),
];

test.each(rows)('$example', ({ type, example, counterExample }) => {
  const detectors = builtinDetectors([type]);
  const expected = example.replace(/\[[^\]]*\]/, `##${type}##`);
  expect(redactText(example.replaceAll(/[[\]]/g, ''), detectors).text).toBe(expected);
  expect(redactText(counterExample, detectors).text).toBe(counterExample);
});
