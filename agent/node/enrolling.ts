import { backoffMs, type BackoffLimits } from '#agent/core/backoff.ts';
import type { Configuration } from './configuration.ts';
import type { Connection } from './connection.ts';
import type { Credentials } from './credentials.ts';
import type { DeviceFacts } from './device-facts.ts';
import { enroll } from './enrollment.ts';
import { type Loop, startLoop } from './loop.ts';

export interface EnrollingOptions {
  facts: DeviceFacts;
  credentials: Credentials;
  connection: Connection;
  configuration: Configuration;
  backoff?: BackoffLimits | undefined;
  /** May this device enroll at all: is there a managed configuration? */
  ready: () => boolean;
  onEnrolled: () => void;
}

export interface Enrolling extends Loop {
  /** The service does not take the identity: it is forgotten, and the device enrolls again. */
  refused(): void;
  /** The service takes the identity. */
  accepted(): void;
}

/** Is there an identity that has not expired? */
export function hasIdentity(credentials: Credentials): boolean {
  return (credentials.get('identity')?.notAfter ?? 0) > Date.now();
}

/** Enrolls whenever there is no valid identity, until there is one. */
export function startEnrolling(options: EnrollingOptions): Enrolling {
  const { credentials, connection, configuration, facts } = options;
  const limits = options.backoff;
  let failures = 0;
  // A service that issues identities and then refuses them must not be asked without end.
  let refusals = 0;
  let refusedTill = 0;

  const loop = startLoop(async (signal) => {
    if (!options.ready() || hasIdentity(credentials)) return null;
    const pause = refusedTill - performance.now();
    if (pause > 0) return pause;
    const got = await connection.askAsNewcomer('enroll', signal, (device) =>
      enroll(device, credentials, facts, signal),
    );
    if ('answer' in got) await configuration.adopt(got.answer);
    if (!hasIdentity(credentials)) return backoffMs(failures++, Math.random(), limits);
    failures = 0;
    options.onEnrolled();
    return null;
  });

  return {
    ...loop,
    accepted: () => (refusals = 0),
    refused: () => {
      credentials.forget('identity');
      if (refusals > 0)
        refusedTill = performance.now() + backoffMs(refusals, Math.random(), limits);
      refusals += 1;
      loop.wake();
    },
  };
}
