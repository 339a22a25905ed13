import { backoffMs, type BackoffLimits } from '#agent/core/backoff.ts';
import { createEnrollPause } from '#agent/core/enroll-pause.ts';
import type { Configuration } from './configuration.ts';
import type { Connection } from './connection.ts';
import type { Credentials } from './credentials.ts';
import type { DeviceFacts } from './device-facts.ts';
import { enroll } from './enrollment.ts';
import { type Loop, startLoop } from '#lib/loop.ts';
import type { Problems } from './problems.ts';

export interface EnrollmentLoopOptions {
  facts: DeviceFacts;
  credentials: Credentials;
  connection: Connection;
  configuration: Configuration;
  problems: Problems;
  backoff?: BackoffLimits | undefined;
  /** May this device enroll at all: is there a managed configuration? */
  isReady: () => boolean;
  onEnrolled: () => void;
  /** Whether the device waits for an administrator's approval; called on each change. */
  onWaiting: (waiting: boolean) => void;
}

export interface EnrollmentLoop extends Loop {
  /** The control plane rejected the identity: it is removed, and the device enrolls again. */
  refused: () => void;
  /** The control plane accepted the identity. */
  accepted: () => void;
}

const HARDWARE_ID_CONFLICT =
  'refused again soon after it was issued; another computer may use this hardware id, ' +
  'and AGENT_HARDWARE_ID gives this one its own';

/** Is there an identity that has not expired? */
export function hasIdentity(credentials: Credentials): boolean {
  return (credentials.get('identity')?.notAfter ?? 0) > Date.now();
}

/** The requested delay plus up to 50 % jitter, so that a fleet does not retry at the same time. */
const withJitter = (ms: number): number => ms * (1 + Math.random() / 2);

/** Enrolls whenever there is no valid identity, until there is one. */
export function startEnrollmentLoop(options: EnrollmentLoopOptions): EnrollmentLoop {
  const { credentials, connection, configuration, facts } = options;
  const limits = options.backoff;
  let failures = 0;
  const pause = createEnrollPause(limits);
  const reportConflict = (): void =>
    options.problems.set('identity', pause.disputed() ? [HARDWARE_ID_CONFLICT] : []);

  const loop = startLoop(async (signal) => {
    if (!options.isReady() || hasIdentity(credentials)) return null;
    const remainingMs = pause.left(performance.now());
    if (remainingMs > 0) return remainingMs;
    const result = await connection.requestWithApiKey('enroll', signal, (device) =>
      enroll(device, credentials, facts, signal),
    );
    if (result.kind === 'answered') await configuration.adopt(result.response);
    const failure = result.kind === 'failed' ? result.failure : null;
    options.onWaiting(failure?.errorClass === 'waiting');
    if (failure && failure.retryAfterMs !== null) return withJitter(failure.retryAfterMs);
    if (!hasIdentity(credentials)) return backoffMs(failures++, Math.random(), limits);
    failures = 0;
    options.onEnrolled();
    return null;
  });

  return {
    ...loop,
    accepted: () => {
      pause.accepted(performance.now());
      reportConflict();
    },
    refused: () => {
      // Concurrent requests with one identity are refused together: only the first refusal counts.
      if (!credentials.get('identity')) return;
      credentials.remove('identity');
      pause.refused(performance.now(), Math.random());
      reportConflict();
      loop.wake();
    },
  };
}
