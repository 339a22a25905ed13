import { afterEach, expect, test, vi } from 'vitest';
import type { Credentials } from './credentials.ts';
import { type Enrolling, type EnrollingOptions, startEnrolling } from './enrolling.ts';
import { createLog } from './log.ts';
import { createProblems } from './problems.ts';

let enrolling: Enrolling;
afterEach(() => enrolling.stop());

test('requests refused together are one refusal: the device enrolls at once, and no dispute is said', async () => {
  let identity: { notAfter: number } | null = null;
  const problems = createProblems(createLog({ level: 'error', write: () => {} }));
  const onEnrolled = vi.fn<() => void>();
  const credentials: Pick<Credentials, 'forget'> & { get: () => typeof identity } = {
    get: () => identity,
    forget: () => void (identity = null),
  };
  const connection = {
    askAsNewcomer: async () => {
      identity = { notAfter: Date.now() + 60_000 };
      return { failure: null };
    },
  };
  enrolling = startEnrolling({
    ...({ credentials, connection } as unknown as EnrollingOptions),
    problems,
    backoff: { firstMs: 1e9, mostMs: 1e9 },
    ready: () => true,
    onEnrolled,
    onWaiting: () => undefined,
  });
  await vi.waitFor(() => expect(onEnrolled).toHaveBeenCalledTimes(1));
  for (let request = 0; request < 3; request += 1) enrolling.refused();
  await vi.waitFor(() => expect(onEnrolled).toHaveBeenCalledTimes(2));
  expect(problems.list()).toEqual([]);
  enrolling.refused();
  expect(problems.list()).toEqual([expect.stringContaining('AGENT_HARDWARE_ID')]);
});
