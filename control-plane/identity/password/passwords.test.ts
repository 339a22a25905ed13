import { afterEach, expect, test, vi } from 'vitest';
import { hashPassword, unmatchableHash, verifyPassword } from './passwords.ts';

const threads = vi.hoisted(() => ({ started: 0 }));
vi.mock('node:worker_threads', async (original) => {
  const actual = await original<typeof import('node:worker_threads')>();
  class Worker extends actual.Worker {
    constructor(...args: ConstructorParameters<typeof actual.Worker>) {
      super(...args);
      threads.started += 1;
    }
  }
  return { ...actual, Worker };
});
afterEach(() => {
  threads.started = 0;
});

test('concurrent passwords are hashed by one thread, each with its own salt', async () => {
  const password = 'correct horse battery';
  const hashes = await Promise.all([hashPassword(password), hashPassword(password)]);
  expect(hashes).toEqual(hashes.map(() => expect.stringMatching(/^scrypt\$[\w-]{22}\$[\w-]{43}$/)));
  expect(new Set(hashes).size).toBe(2);
  const [first] = hashes;
  const answers = await Promise.all([
    verifyPassword(password, first),
    verifyPassword(`${password} `, first),
    verifyPassword(password, unmatchableHash),
    verifyPassword(password, ''),
  ]);
  expect(answers).toEqual([true, false, false, false]);
  expect(threads.started).toBe(1);
});

test('a password matches in any Unicode normalization form', async () => {
  const hash = await hashPassword('Zu\u0308rich am See');
  expect(await verifyPassword('Z\u00fcrich am See', hash)).toBe(true);
});
