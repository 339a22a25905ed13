import { type Check, notChecked, ok, problem } from './check.ts';
import { formatTime, formatNames, toSentence, formatDuration } from './format.ts';

export interface CertificateSummary {
  /** Common names. */
  subject: string;
  issuer: string;
  /** ms */
  notBefore: number;
  notAfter: number;
}

/** The root of a certificate chain, as far as this computer knows it. */
export type Anchor = 'tenant' | 'public' | 'system' | 'unknown';

export interface ControlPlaneFacts {
  host: string;
  port: number;
  addresses: { found: readonly string[] } | { error: string };
  /** Null: not tried, because an earlier step failed. Errors are codes, such as ECONNREFUSED. */
  connection: { address: string } | { error: string } | null;
  tls:
    | {
        refused: { code: string; reason: string } | null;
        certificate: CertificateSummary;
        /** The name of the last certificate authority of the chain. */
        authority: string;
        anchor: Anchor;
        /** Whether the tenant's roots are known on this computer, as they are after enrollment. */
        tenantKnown: boolean;
      }
    | { error: string }
    | null;
  /** The response to a request without credentials, and the clock difference by its Date, in ms. */
  response:
    | { status: number; isCoded: boolean; message: string; skew: number | null }
    | { error: string }
    | null;
  /** Proxies for HTTPS in the environment and the system's settings. */
  proxies: readonly string[];
  now: number;
}

const MAX_SKEW_MS = 120_000;

/** Whether the right control plane is reachable, in the order of a connection. */
export function checkControlPlane(facts: ControlPlaneFacts): Check[] {
  return [
    checkAddress(facts),
    checkConnection(facts),
    checkCertificate(facts),
    checkResponse(facts),
    checkClock(facts),
  ];
}

function checkAddress({ host, addresses }: ControlPlaneFacts): Check {
  const id = 'control-plane-address';
  if ('error' in addresses)
    return problem(
      id,
      `The name ${host} of the control plane cannot be resolved (${addresses.error}).`,
      'IT',
      `Check api_url in the profile, and that the name servers of this network know ${host}.`,
    );
  if (addresses.found.includes(host)) return ok(id, `The control plane has the address ${host}.`);
  return ok(id, `${host} resolves to ${formatNames(addresses.found)}.`);
}

const connectionErrors: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there, or a firewall refuses',
  ETIMEDOUT: 'no answer: a firewall drops the packets, or the server is off',
  EHOSTUNREACH: 'there is no route to the server',
  ENETUNREACH: 'this computer has no network connection that leads there',
};

function checkConnection({ host, port, connection, proxies }: ControlPlaneFacts): Check {
  const id = 'control-plane-connection';
  if (!connection)
    return notChecked(id, `No connection was tried, because the name ${host} does not resolve.`);
  if (!('error' in connection)) return ok(id, `${host}:${port} accepts connections.`);
  const why = connectionErrors[connection.error];
  const seen = `${host}:${port} cannot be reached: ${connection.error}${why ? ` (${why})` : ''}.`;
  if (proxies.length > 0)
    return problem(
      id,
      `${seen} A proxy is set on this computer (${formatNames(proxies)}), but the agent connects directly.`,
      'IT',
      `Let computers connect to ${host}:${port} directly.`,
    );
  return problem(
    id,
    seen,
    'IT',
    `Check that the control plane runs and that firewalls let computers connect to ${host}:${port}.`,
  );
}

/** Products that inspect TLS, by the names of their certificate authorities. */
const tlsInspectionProduct =
  /zscaler|netskope|blue ?coat|forcepoint|palo ?alto|forti(net|gate)|sophos|mcafee|skyhigh|umbrella|check ?point|symantec|kaspersky|bitdefender|eset |avast|cato networks|cloudflare (gateway|for teams)|mitmproxy|charles proxy|fiddler|proxyman|burp/i;

function checkCertificate(facts: ControlPlaneFacts): Check {
  const id = 'control-plane-certificate';
  const { host, port, tls, now } = facts;
  if (!tls) return notChecked(id, 'Its certificate is not known without a connection.');
  if ('error' in tls)
    return problem(
      id,
      `${host}:${port} does not speak TLS as expected (${tls.error}).`,
      'IT',
      'Check the port in api_url: it has to be the one for devices (DEVICE_URL of the control plane).',
    );
  const { refused, certificate, authority, anchor } = tls;
  if (!refused) return ok(id, describeTrusted(host, authority, anchor, certificate));
  const { notBefore, notAfter, subject } = certificate;
  if (refused.code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return problem(
      id,
      `The certificate of ${host} is for another name: ${subject}.`,
      'IT',
      'Correct api_url in the profile, or give the server a certificate for this name.',
    );
  if (notAfter < now)
    return problem(
      id,
      `The certificate of ${host} expired on ${formatTime(notAfter)}.`,
      'IT',
      'Renew the certificate of the control plane or of the proxy before it; if it is newer elsewhere, check the clock of this computer.',
    );
  if (notBefore > now)
    return problem(
      id,
      `The certificate of ${host} is valid from ${formatTime(notBefore)} on, and it is ${formatTime(now)} on this computer.`,
      'user',
      'Set the clock of this computer; let it be set automatically.',
    );
  return describeUntrusted(id, facts, tls);
}

function describeTrusted(
  host: string,
  authority: string,
  anchor: Anchor,
  { notAfter }: CertificateSummary,
): string {
  const until = `The certificate of ${host} is valid until ${formatTime(notAfter)} and trusted here; its authority is "${authority}"`;
  switch (anchor) {
    case 'tenant':
      return `${until}, the tenant's root.`;
    case 'public':
      return `${until}, a public one.`;
    case 'system':
    case 'unknown':
      return `${until}, which is installed on this computer as trusted. It is not a public one: it is the tenant's root, or a proxy of the company.`;
  }
}

function describeUntrusted(
  id: string,
  { host, port }: ControlPlaneFacts,
  tls: { authority: string; tenantKnown: boolean; refused: { code: string } | null },
): Check {
  const { authority, tenantKnown, refused } = tls;
  const seen = `The certificate of ${host} is not trusted: its authority is "${authority}" (${refused?.code}).`;
  if (tlsInspectionProduct.test(authority))
    return problem(
      id,
      `${seen} A product that inspects TLS terminates the connection.`,
      'IT',
      `Exempt ${host}:${port} from TLS inspection.`,
    );
  return problem(
    id,
    tenantKnown
      ? `${seen} It is not a root of the tenant that this computer is enrolled with.`
      : `${seen} The profile's root is missing, or belongs to another tenant.`,
    'IT',
    `If "${authority}" is a proxy of the company, exempt ${host}:${port} from TLS inspection; if not, fetch the profile from the console again and deliver it.`,
  );
}

function checkResponse({ host, port, response, tls }: ControlPlaneFacts): Check {
  const id = 'control-plane-answer';
  if (!response || !tls || 'error' in tls)
    return notChecked(id, 'A request needs a connection to the control plane.');
  if ('error' in response)
    return problem(
      id,
      `${host}:${port} did not answer a request (${response.error}).`,
      'IT',
      'Check that the control plane runs, and the proxies and firewalls between it and this computer.',
    );
  const { status, isCoded, message } = response;
  if (status === 401 && isCoded)
    return ok(id, `A Gatehouse control plane answers at ${host}:${port}.`);
  if (status === 407)
    return problem(
      id,
      `A proxy in between asks for a sign-in (407) instead of passing on to ${host}:${port}.`,
      'IT',
      `Let computers connect to ${host}:${port} directly.`,
    );
  if (status >= 500)
    return problem(
      id,
      `The control plane answers with an error: ${status}${isCoded ? ` ${toSentence(message)}` : '.'}`,
      'admin',
      'Look at /readyz/ of the control plane, which names the reason.',
    );
  return problem(
    id,
    `A server other than a Gatehouse control plane answers at ${host}:${port} (status ${status}).`,
    'IT',
    'Check api_url in the profile, and which proxy or sign-in page answers in its place.',
  );
}

function checkClock({ response }: ControlPlaneFacts): Check {
  const id = 'clock';
  if (!response || 'error' in response)
    return notChecked(
      id,
      'The clock is compared with an answer of the control plane, and none came.',
    );
  const { skew } = response;
  if (skew === null) return notChecked(id, 'The answer of the control plane has no time.');
  if (Math.abs(skew) <= MAX_SKEW_MS)
    return ok(id, 'The clock of this computer agrees with that of the control plane.');
  return problem(
    id,
    `The clock of this computer is ${formatDuration(Math.abs(skew))} ${skew > 0 ? 'ahead of' : 'behind'} the control plane's: certificates look expired or not yet valid.`,
    'user',
    'Set the clock of this computer; let it be set automatically.',
  );
}
