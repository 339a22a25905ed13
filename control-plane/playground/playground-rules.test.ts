import { expect, test } from 'vitest';
import { adaptBody, type ModelBody, settingsOf } from './playground-rules.ts';

const OPENAI_LIMIT =
  "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";

test.each<[string, ModelBody, object, string[], ModelBody | undefined]>([
  [
    'the limit under its old name',
    { model: 'm', max_tokens: 5 },
    { status: 400, param: 'max_tokens', message: OPENAI_LIMIT },
    [],
    { model: 'm', max_completion_tokens: 5 },
  ],
  [
    'the limit under its new name',
    { max_completion_tokens: 5, temperature: 1 },
    { status: 422, message: '{"loc":["body","max_completion_tokens"],"type":"extra_forbidden"}' },
    [],
    { max_tokens: 5, temperature: 1 },
  ],
  [
    'the limit under both names',
    { max_completion_tokens: 5 },
    { status: 400, message: 'Unknown parameter max_completion_tokens' },
    ['max_tokens'],
    undefined,
  ],
  [
    'a temperature',
    { temperature: 0.7, max_tokens: 5 },
    { status: 400, message: '`temperature` is deprecated for this model.' },
    [],
    { max_tokens: 5 },
  ],
  [
    'two settings at once, one of which the prompt sets',
    { temperature: 0.7, top_p: 0.5 },
    {
      status: 400,
      message: '`temperature` and `top_p` cannot both be specified for this model.',
    },
    [],
    { top_p: 0.5 },
  ],
  [
    'stop sequences',
    { model: 'm', stop: ['x'] },
    { status: 400, param: 'stop', message: "Unsupported parameter: 'stop' is not supported" },
    [],
    { model: 'm' },
  ],
  [
    'a temperature out of range, which is known',
    { temperature: 2 },
    { status: 400, message: 'temperature: range: 0..1' },
    [],
    undefined,
  ],
  [
    'something we do not send',
    { model: 'm' },
    { status: 400, message: 'Unknown parameter temperature' },
    [],
    undefined,
  ],
  [
    'a model that it does not know',
    { model: 'm', temperature: 1 },
    { status: 404, message: 'unknown temperature' },
    [],
    undefined,
  ],
  ['nothing: it broke', { temperature: 1 }, { message: 'unexpected temperature' }, [], undefined],
])('a provider rejects %s', (_what, body, refusal, tried, expected) => {
  expect(adaptBody(body, refusal, new Set(tried))).toEqual(expected);
});

test('dropped settings are reported under their names in the config', () => {
  const tried = new Set(['max_tokens', 'stream_options', 'stop_sequences', 'top_p']);
  expect(settingsOf(tried)).toEqual(['stop', 'top_p']);
});
