import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { newRecordingKey } from './recording-key-caller.ts';

test('each key is new, only its hash is stored, and it is renewed before it expires', () => {
  const [one, other] = [newRecordingKey(1000), newRecordingKey(1000)];
  expect(one.key).toMatch(/^svc_sd_[0-9a-f]{64}$/);
  expect(one.key).not.toBe(other.key);
  expect(one.hash).toBe(hash('sha256', one.key));
  expect(one.renew_at).toBeGreaterThan(1000);
  expect(one.expires_at).toBeGreaterThan(one.renew_at);
});
