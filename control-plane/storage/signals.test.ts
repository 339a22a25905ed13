import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readNotification, signal } from './signals.ts';

const ORIGIN = 'a process';
const message = { tenant_id: 'tnt_1', topic: 'runs', run_id: 7 } as const;
const text = (value: unknown): string => JSON.stringify(value);

test('a payload sent by a control plane is parsed', () => {
  expect(readNotification(text({ ...message, origin: ORIGIN }))).toEqual({
    origin: ORIGIN,
    signal: message,
  });
});

test.each([
  ['nothing', undefined],
  ['no text', ''],
  ['no JSON', 'x'],
  ['half of it', '{"tenant_id":"tnt_1","topic":'],
  ['null', 'null'],
  ['a number', '1'],
  ['a list', '[]'],
  ['an unknown topic', text({ ...message, origin: ORIGIN, topic: 'everything' })],
  ['a topic that objects inherit', text({ ...message, origin: ORIGIN, topic: '__proto__' })],
  ['no origin', text(message)],
  ['no tenant', text({ topic: 'runs', origin: ORIGIN })],
  ['a tenant that is a list', text({ ...message, origin: ORIGIN, tenant_id: ['tnt_1'] })],
  ['a run that is text', text({ ...message, origin: ORIGIN, run_id: '7' })],
  ['a run that is no whole number', text({ ...message, origin: ORIGIN, run_id: 7.5 })],
  ['a device that is null', text({ ...message, origin: ORIGIN, device_id: null })],
  ['a prototype', `{"__proto__":${text({ ...message, origin: ORIGIN })}}`],
  ['deep nesting', '['.repeat(7999)],
])('%s is ignored', (_, payload) => {
  expect(readNotification(payload)).toBeUndefined();
});

test('unknown members of a notification are dropped', () => {
  const payload = `{"__proto__":{"polluted":true},"constructor":1,"more":2,${text({ ...message, origin: ORIGIN }).slice(1)}`;
  const read = readNotification(payload);
  expect(Object.keys(read?.signal ?? {}).toSorted()).toEqual(['run_id', 'tenant_id', 'topic']);
  expect(read?.signal).not.toHaveProperty('polluted');
});

test('any payload is either a signal or is ignored, and never causes an error', () => {
  const alike = fc.record(
    {
      origin: fc.jsonValue(),
      tenant_id: fc.oneof(fc.string(), fc.jsonValue()),
      topic: fc.oneof(fc.constantFrom('runs', 'keys'), fc.jsonValue()),
      run_id: fc.oneof(fc.integer(), fc.jsonValue()),
      device_id: fc.oneof(fc.string(), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  const payload = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), alike.map(text));
  fc.assert(
    fc.property(payload, (text) => {
      const read = readNotification(text);
      expect(read === undefined || signal.safeParse(read.signal).success).toBe(true);
    }),
  );
});
