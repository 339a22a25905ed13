import type { RelayTap } from './relay.ts';

/** Whether a client accepts our certificate, which the handshake may not reveal. */
export interface Verdict {
  accepted: () => void;
  refused: () => void;
}

/** A browser closes connections that it opened ahead and did not need, after ten seconds or more. */
const longestVerificationMs = 5_000;

/**
 * Node verifies after the handshake, and closes at once, without an alert and before its first byte.
 * A client that sends something has accepted the certificate.
 */
export function withVerdict(tap: RelayTap, verdict: Verdict, now: () => number): RelayTap {
  const since = now();
  let isUndecided = true;
  return {
    ...tap,
    fromClient: (chunk) => {
      if (isUndecided) verdict.accepted();
      isUndecided = false;
      tap.fromClient(chunk);
    },
    clientEnded: () => {
      if (isUndecided && now() - since < longestVerificationMs) verdict.refused();
      isUndecided = false;
      tap.clientEnded();
    },
    serverEnded: () => {
      isUndecided = false;
      tap.serverEnded();
    },
  };
}
