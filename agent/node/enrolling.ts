import { backoffMs, type BackoffLimits } from '#agent/core/backoff.ts';
import { createEnrollPause } from '#agent/core/enroll-pause.ts';
import type { Configuration } from './configuration.ts';
import type { Connection } from './connection.ts';
import type { Credentials } from './credentials.ts';
import type { DeviceFacts } from './device-facts.ts';
import { enroll } from './enrollment.ts';
import { type Loop, startLoop } from './loop.ts';
import type { Problems } from './problems.ts';

export interface EnrollingOptions {
  facts: DeviceFacts;
  credentials: Credentials;
  connection: Connection;
  configuration: Configuration;
  problems: Problems;
  backoff?: BackoffLimits | undefined;
  /** May this device enroll at all: is there a managed configuration? */
  ready: () => boolean;
  onEnrolled: () => void;
  /** Whether the device waits for an administrator's approval; called on each change. */
  onWaiting: (waiting: boolean) => void;
}

export interface Enrolling extends Loop {
  /** The service does not take the identity: it is forgotten, and the device enrolls again. */
  refused: () => void;
  /** The service takes the identity. */
  accepted: () => void;
}

const dispute =
  'refused again soon after it was issued; another computer may use this hardware id, ' +
  'and AGENT_HARDWARE_ID gives this one its own';

/** Is there an identity that has not expired? */
export function hasIdentity(credentials: Credentials): boolean {
  return (credentials.get('identity')?.notAfter ?? 0) > Date.now();
}

/** As long as the service wants, and up to half of it longer: so that a fleet does not ask as one. */
const spread = (ms: number): number => ms * (1 + Math.random() / 2);

/** Enrolls whenever there is no valid identity, until there is one. */
export function startEnrolling(options: EnrollingOptions): Enrolling {
  const { credentials, connection, configuration, facts } = options;
  const limits = options.backoff;
  let failures = 0;
  const pause = createEnrollPause(limits);
  const noteDispute = (): void =>
    options.problems.set('identity', pause.disputed() ? [dispute] : []);

  const loop = startLoop(async (signal) => {
    if (!options.ready() || hasIdentity(credentials)) return null;
    const left = pause.left(performance.now());
    if (left > 0) return left;
    const got = await connection.askAsNewcomer('enroll', signal, (device) =>
      enroll(device, credentials, facts, signal),
    );
    if ('answer' in got) await configuration.adopt(got.answer);
    const failure = 'failure' in got ? got.failure : null;
    options.onWaiting(failure?.kind === 'waiting');
    if (failure && failure.retryAfterMs !== null) return spread(failure.retryAfterMs);
    if (!hasIdentity(credentials)) return backoffMs(failures++, Math.random(), limits);
    failures = 0;
    options.onEnrolled();
    return null;
  });

  return {
    ...loop,
    accepted: () => {
      pause.accepted(performance.now());
      noteDispute();
    },
    refused: () => {
      // Requests that were under way together are refused together, for one identity.
      if (!credentials.get('identity')) return;
      credentials.forget('identity');
      pause.refused(performance.now(), Math.random());
      noteDispute();
      loop.wake();
    },
  };
}
