import type { RelayTap } from './relay.ts';

/** Whether a client accepts our certificate, which the handshake may not reveal. */
export interface CertificateAcceptance {
  accepted: () => void;
  refused: () => void;
}

/** A browser closes connections that it opened ahead and did not need, after ten seconds or more. */
const MAX_VERIFICATION_MS = 5_000;

/**
 * Node verifies after the handshake, and closes at once, without an alert and before its first byte.
 * A client that sends something has accepted the certificate.
 */
export function withAcceptance(
  tap: RelayTap,
  acceptance: CertificateAcceptance,
  now: () => number,
): RelayTap {
  const since = now();
  let isUndecided = true;
  return {
    ...tap,
    fromClient: (chunk) => {
      if (isUndecided) acceptance.accepted();
      isUndecided = false;
      tap.fromClient(chunk);
    },
    clientEnded: () => {
      if (isUndecided && now() - since < MAX_VERIFICATION_MS) acceptance.refused();
      isUndecided = false;
      tap.clientEnded();
    },
    serverEnded: () => {
      isUndecided = false;
      tap.serverEnded();
    },
  };
}
