import { backoffMs, type BackoffLimits } from '#agent/core/backoff.ts';
import { createEnrollPause } from '#agent/core/enroll-pause.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { Connection } from '../link/connection.ts';
import type { Credentials } from './credentials.ts';
import type { DeviceFacts } from './device-facts.ts';
import { enroll } from './enrollment.ts';
import { type Loop, startLoop } from '#lib/loop.ts';
import type { Problems } from '../status/problems.ts';

export interface EnrollmentLoopOptions {
  facts: DeviceFacts;
  credentials: Credentials;
  connection: Connection;
  configuration: Configuration;
  problems: Problems;
  backoff?: BackoffLimits | undefined;
  /**
   * Returns whether this device may enroll: there must be a managed configuration, and no keys that are
   * locked.
   */
  isReady: () => boolean;
  onEnrolled: () => void;
  /** Called on each change, with whether the device waits for an administrator's approval. */
  onWaiting: (waiting: boolean) => void;
}

export interface EnrollmentLoop extends Loop {
  /**
   * Called when the control plane has rejected the identity: it is removed, and the device enrolls
   * again.
   */
  handleRefusal: () => void;
  /** Called when the control plane has accepted the identity. */
  handleAcceptance: () => void;
}

const HARDWARE_ID_CONFLICT =
  'refused again soon after it was issued; another computer may use this hardware id, ' +
  'and AGENT_HARDWARE_ID gives this one its own';

/** Returns whether there is an identity that has not expired. */
export function hasIdentity(credentials: Credentials): boolean {
  return (credentials.get('identity')?.notAfter ?? 0) > Date.now();
}

/**
 * Adds up to 50 % jitter to the requested delay, so that devices do not all retry at the same time.
 */
const withJitter = (ms: number): number => ms * (1 + Math.random() / 2);

/** Enrolls until there is a valid identity, and again whenever there is none. */
export function startEnrollmentLoop(options: EnrollmentLoopOptions): EnrollmentLoop {
  const { credentials, connection, configuration, facts } = options;
  const limits = options.backoff;
  let failures = 0;
  const pause = createEnrollPause(limits);
  const reportConflict = (): void =>
    options.problems.set('identity', pause.isDisputed() ? [HARDWARE_ID_CONFLICT] : []);

  const loop = startLoop(async (signal) => {
    if (!options.isReady() || hasIdentity(credentials)) return null;
    const remainingMs = pause.remainingMs(performance.now());
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
    handleAcceptance: () => {
      pause.recordAcceptance(performance.now());
      reportConflict();
    },
    handleRefusal: () => {
      // Concurrent requests with one identity are refused together, so only the first refusal
      // counts.
      if (!credentials.get('identity')) return;
      credentials.remove('identity');
      pause.recordRefusal(performance.now(), Math.random());
      reportConflict();
      loop.wake();
    },
  };
}
