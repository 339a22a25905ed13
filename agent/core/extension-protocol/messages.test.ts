import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createFrameReader, encodeFrame } from './frame.ts';
import { readExtensionMessage } from './messages.ts';
import type { AgentMessage } from './messages.ts';

/** A vector that is shared with the tests of the extensions. */
interface Vector<Message> {
  name: string;
  valid: boolean;
  message: Message;
}

const file = new URL('message-vectors.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8')) as {
  agent: Vector<AgentMessage>[];
  extension: Vector<object>[];
};

describe('messages of an extension', () => {
  test.each(vectors.extension)('$name', ({ message, valid }) =>
    expect(readExtensionMessage(JSON.stringify(message))).toEqual(valid ? message : 'malformed'),
  );

  test.each([
    ['of a newer version', '{"type":"dance","how":"fast"}', 'unknown'],
    ['with more members', '{"type":"listed","more":1}', { type: 'listed' }],
    ['that is no JSON', '{', 'malformed'],
    ['that is no object', '"listed"', 'malformed'],
    [
      'with an id without end',
      `{"type":"greeting","id":"${'x'.repeat(65)}","bytes":""}`,
      'malformed',
    ],
  ])('%s', (_, body, expected) => expect(readExtensionMessage(body)).toEqual(expected));
});

test.each(vectors.agent.filter(({ valid }) => valid))('messages of the agent: $name', (vector) => {
  const { bodies } = createFrameReader().read(encodeFrame(vector.message));
  expect(bodies.map((body) => JSON.parse(body) as object)).toEqual([vector.message]);
});
