import { DAY_MS } from '#lib/time-units.ts';
import { renewalTime } from '../renewal-time.ts';
import { type AgentReport, problemsOf } from './agent-report.ts';
import { type Advice, type Check, notChecked, ok, problem, sudoAdvice } from './check.ts';
import { formatTime, toSentence, formatDuration } from './format.ts';

export interface IdentityFacts {
  /** `private`: the state folder is not readable. */
  record: { device_id: string | null; hardware_id: string | null } | 'damaged' | 'private' | null;
  /** The hardware id of this computer; null if it has none and none was generated yet. */
  hardwareId: string | null;
  certificate: { serial: string; notBefore: number; notAfter: number } | 'damaged' | null;
  /** The control plane's response about the certificate; null: not requested. */
  verdict: { status: number; message: string } | { error: string } | null;
  report: AgentReport | null;
  now: number;
}

const ID = 'identity';

/** Whether this computer is enrolled, and the control plane accepts its certificate. */
export function checkIdentity(facts: IdentityFacts): Check[] {
  return [checkRecord(facts) ?? checkCertificate(facts)];
}

function checkRecord({ record, certificate, hardwareId, report }: IdentityFacts): Check | null {
  if (record === 'private' && !report)
    return notChecked(
      ID,
      'The state folder says whether this computer is enrolled, and this user may not read it.',
      sudoAdvice,
    );
  if (record === 'damaged' || certificate === 'damaged')
    return problem(
      ID,
      `A file about the identity of this computer is damaged (${record === 'damaged' ? 'device.json' : 'identity.pem'}).`,
      'user',
      'Restart the agent: it moves the file aside and enrolls again.',
    );
  const enrolledAs = record && record !== 'private' ? record.hardware_id : null;
  if (enrolledAs !== null && hardwareId !== null && enrolledAs !== hardwareId)
    return problem(
      ID,
      'The state folder was copied from another computer: its hardware id is not that of this one.',
      'user',
      'Restart the agent: it enrolls this computer as a device of its own. IT: leave the state folder out of disk images.',
    );
  const [dispute] = problemsOf(report, 'identity');
  return dispute === undefined ? null : clonedIdentity(dispute);
}

const clonedIdentity = (dispute: string): Check =>
  problem(
    ID,
    `Another computer seems to have the same hardware id: the identity was ${toSentence(dispute)}`,
    'IT',
    'Give cloned computers ids of their own (systemd: a new /etc/machine-id; virtual machines: a new UUID), or set AGENT_HARDWARE_ID.',
  );

function checkCertificate(facts: IdentityFacts): Check {
  const { record, certificate, verdict, report, now } = facts;
  if (certificate === null || certificate === 'damaged') return notEnrolled(facts);
  const name = record && typeof record === 'object' ? record.device_id : null;
  const { notAfter } = certificate;
  if (notAfter <= now)
    return problem(
      ID,
      `The identity of ${name} expired on ${formatTime(notAfter)}.`,
      'IT',
      'The agent enrolls again by itself once it runs and reaches the control plane with a valid API key (see the checks above).',
    );
  if (verdict && 'status' in verdict && (verdict.status === 401 || verdict.status === 403))
    return refused(name, verdict);
  const overdue = now - renewalTime(certificate);
  if (overdue > DAY_MS) {
    const [why] = problemsOf(report, 'renewal', 'control plane');
    return problem(
      ID,
      `The identity of ${name} should have been renewed ${formatDuration(overdue)} ago, and expires on ${formatTime(notAfter)}${why ? `: ${toSentence(why)}` : '.'}`,
      'IT',
      'Let the agent run, and fix its connection to the control plane (see the checks above).',
    );
  }
  if (!verdict || 'error' in verdict)
    return notChecked(
      ID,
      `This computer is enrolled as ${name} until ${formatTime(notAfter)}; the control plane could not be asked about it.`,
    );
  return ok(
    ID,
    `This computer is enrolled as ${name}; the control plane accepts its certificate, which is valid until ${formatTime(notAfter)}.`,
  );
}

function refused(
  name: string | null,
  { status, message }: { status: number; message: string },
): Check {
  const seen = `The control plane refuses ${name}: ${toSentence(message)}`;
  if (/required/.test(message))
    return problem(
      ID,
      `The certificate of ${name} does not reach the control plane: something in between terminates TLS.`,
      'IT',
      'Exempt the control plane from TLS inspection; a proxy in front of it has to forward the certificate (docs/deploy).',
    );
  if (/not one of ours/.test(message))
    return problem(
      ID,
      seen,
      'IT',
      'This control plane did not enroll the computer: check api_url in the profile. If its database was restored from a backup, the agent enrolls again by itself.',
    );
  if (status === 403)
    return problem(ID, seen, 'admin', 'The tenant is suspended: activate it again.');
  return problem(
    ID,
    seen,
    'admin',
    'Restore the device on its page under Devices, if it was revoked by mistake; it then enrolls again by itself.',
  );
}

function notEnrolled({ report }: IdentityFacts): Check {
  if (!report)
    return notChecked(
      ID,
      'This computer is not enrolled; it enrolls by itself once an agent runs.',
    );
  if (report.phase === 'waiting for approval')
    return problem(
      ID,
      `This computer waits for approval${report.device_id ? ` as ${report.device_id}` : ''}.`,
      'admin',
      'Approve it under Devices.',
    );
  if (report.phase === 'waiting for configuration')
    return notChecked(ID, 'This computer enrolls once there are managed preferences.');
  if (report.phase === 'enrolled')
    return ok(ID, `This computer is enrolled as ${report.device_id}.`);
  const [why] = problemsOf(report, 'enroll', 'control plane', 'trusted roots');
  if (why === undefined) return notChecked(ID, 'This computer is being enrolled; look again soon.');
  const advice = adviceFor(why);
  return problem(ID, `This computer cannot enroll: ${toSentence(why)}`, advice.who, advice.what);
}

/** Advises how to fix a refused enrollment. */
function adviceFor(why: string): Advice {
  if (why.startsWith('401'))
    return {
      who: 'IT',
      what: 'The API key in the profile was revoked or has expired: fetch the profile from the console again and deliver it.',
    };
  if (why.startsWith('403'))
    return {
      who: 'admin',
      what: 'If the device was revoked by mistake, restore it on its page under Devices; otherwise check that the API key of the profile may enroll.',
    };
  return { who: 'IT', what: 'Fix the problems above; the agent tries again by itself.' };
}
