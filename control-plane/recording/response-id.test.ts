import { expect, test } from 'vitest';
import { responseIdOf } from './response-id.ts';

test.each([
  ['chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT', 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT'],
  ['msg_01XFDUDYJgAACzvnptvVoYEL', 'msg_01XFDUDYJgAACzvnptvVoYEL'],
  ['mAitaLmkHPPlz7IPvtfUqQ4', 'mAitaLmkHPPlz7IPvtfUqQ4'],
  // These are an id of Ollama, the Unix time in seconds, and a constant.
  ['chatcmpl-417', null],
  ['chatcmpl-1760000000', null],
  ['chatcmpl-default', null],
  ['', null],
  [null, null],
  [undefined, null],
])('%j is stored as %j', (id, stored) => {
  expect(responseIdOf(id)).toBe(stored);
});

test('long ids are stored as distinct hashes', () => {
  const [one, other] = ['a', 'b'].map((end) => responseIdOf('x'.repeat(500) + end));
  expect(one).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(one).not.toBe(other);
});
