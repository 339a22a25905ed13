import { afterEach, expect, test, vi } from 'vitest';
import type { Credentials } from './credentials.ts';
import {
  type EnrollmentLoop,
  type EnrollmentLoopOptions,
  startEnrollmentLoop,
} from './enrollment-loop.ts';
import { createLog } from '../log.ts';
import { createProblems } from '../status/problems.ts';

let enrolling: EnrollmentLoop;
afterEach(() => enrolling.stop());

test('requests refused together count as one refusal: the device enrolls at once, and no dispute is reported', async () => {
  let identity: { notAfter: number } | null = null;
  const problems = createProblems(createLog({ level: 'error', write: () => {} }));
  const onEnrolled = vi.fn<() => void>();
  const credentials: Pick<Credentials, 'remove'> & { get: () => typeof identity } = {
    get: () => identity,
    remove: () => void (identity = null),
  };
  const connection = {
    requestWithApiKey: async () => {
      identity = { notAfter: Date.now() + 60_000 };
      return { kind: 'not_sent' };
    },
  };
  enrolling = startEnrollmentLoop({
    ...({ credentials, connection } as unknown as EnrollmentLoopOptions),
    problems,
    backoff: { firstMs: 1e9, maxMs: 1e9 },
    isReady: () => true,
    onEnrolled,
    onWaiting: () => undefined,
  });
  await vi.waitFor(() => expect(onEnrolled).toHaveBeenCalledTimes(1));
  for (let request = 0; request < 3; request += 1) enrolling.handleRefusal();
  await vi.waitFor(() => expect(onEnrolled).toHaveBeenCalledTimes(2));
  expect(problems.list()).toEqual([]);
  enrolling.handleRefusal();
  expect(problems.list()).toEqual([expect.stringContaining('AGENT_HARDWARE_ID')]);
});
