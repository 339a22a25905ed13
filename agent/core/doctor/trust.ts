import { type AgentReport, problemsOf } from './agent-report.ts';
import { type Check, notChecked, ok, problem } from './check.ts';
import { formatNames, toSentence } from './format.ts';

export interface RootFact {
  name: string;
  /** `AB:CD:…` */
  fingerprint256: string;
}

export interface TrustFacts {
  os: string;
  /** Whether any host is captured; null: unknown. */
  captures: boolean | null;
  /** The roots that the control plane named; null: unknown. */
  roots: readonly RootFact[] | null;
  /** SHA-256 fingerprints of the certificates that the system trusts. */
  systemFingerprints: ReadonlySet<string>;
  report: AgentReport | null;
  /** Variables by name: of this shell, else of the session. */
  environment: Readonly<Partial<Record<string, string>>>;
  /** Whether sudo started the doctor, which removes most variables of the shell. */
  hasSudo: boolean;
  /** The file named by NODE_EXTRA_CA_CERTS. */
  extraFile: { path: string; fingerprints: readonly string[] | null } | null;
}

/** Whether programs trust the certificates that this device issues for captured hosts. */
export const checkTrust = (facts: TrustFacts): Check[] => [
  checkSystemStore(facts),
  checkNode(facts),
  checkRefusals(facts),
];

const short = ({ name, fingerprint256 }: RootFact): string =>
  `"${name}" (SHA-256 ${fingerprint256.slice(0, 23)}…)`;

function checkSystemStore(facts: TrustFacts): Check {
  const id = 'trust';
  const { os, captures, roots, systemFingerprints, report } = facts;
  const [why] = problemsOf(report, 'system trust');
  if (why !== undefined)
    return problem(
      id,
      `The tenant's root cannot be put into the system's store: ${toSentence(why)}`,
      'IT',
      'Run that program by hand to see the error; the agent tries again by itself.',
    );
  if (!roots || roots.length === 0)
    return notChecked(
      id,
      "The tenant's root is known once this computer is enrolled and its state can be read.",
    );
  const missing = roots.filter(({ fingerprint256 }) => !systemFingerprints.has(fingerprint256));
  if (missing.length === 0)
    return ok(id, `The system trusts the tenant's root, ${roots.map(short).join(', ')}.`);
  if (captures === false && os === 'linux')
    return ok(id, "The system does not trust the tenant's root, as there is nothing to capture.");
  const seen = `The system does not trust the tenant's root, ${missing.map(short).join(', ')}${captures ? ': programs refuse captured connections' : ''}.`;
  if (os === 'macos')
    return problem(
      id,
      seen,
      'IT',
      'Fetch the profile from the console again and deliver it: it has the current roots.',
    );
  return problem(
    id,
    seen,
    'IT',
    report && !report.system_trust
      ? 'Run the agent as root and without AGENT_SYSTEM_TRUST=off: it installs the root itself. Or install it with update-ca-certificates.'
      : 'Restart the agent, which installs the root; then restart the programs that are running.',
  );
}

function checkNode(facts: TrustFacts): Check {
  const { os, captures, environment, hasSudo, extraFile, roots } = facts;
  const id = 'trust-node';
  if (environment.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    return problem(
      id,
      "NODE_TLS_REJECT_UNAUTHORIZED=0 is set: Node programs here accept any certificate, even an attacker's.",
      'user',
      'Remove it from the shell profile: with NODE_USE_SYSTEM_CA=1 it is not needed.',
    );
  if (environment.NODE_USE_SYSTEM_CA === '1')
    return ok(
      id,
      "Node programs trust the system's certificate authorities (NODE_USE_SYSTEM_CA=1).",
    );
  if (captures === null)
    return notChecked(id, 'Whether Node programs need a setting depends on the captured hosts.');
  if (!captures) return ok(id, 'Node programs need no setting, as there is nothing to capture.');
  if (extraFile) return checkExtraFile(id, extraFile, roots);
  if (environment.NODE_USE_SYSTEM_CA !== undefined)
    return problem(
      id,
      `NODE_USE_SYSTEM_CA is ${JSON.stringify(environment.NODE_USE_SYSTEM_CA)} here: Node programs refuse captured connections.`,
      'user',
      'Remove it from the shell profile, or set it to 1.',
    );
  if (hasSudo)
    return notChecked(
      id,
      'sudo has removed the variables of your shell, of which Node programs need NODE_USE_SYSTEM_CA=1.',
      { who: 'user', what: 'Run "echo $NODE_USE_SYSTEM_CA" where these programs are started.' },
    );
  return problem(
    id,
    'NODE_USE_SYSTEM_CA is not set here: Node programs that are started from here refuse captured connections.',
    'user',
    os === 'macos'
      ? 'Open a new terminal; if it is still not set, install the package again.'
      : 'Log in again; services need NODE_USE_SYSTEM_CA=1 in their own settings.',
  );
}

function checkExtraFile(
  id: string,
  { path, fingerprints }: NonNullable<TrustFacts['extraFile']>,
  roots: TrustFacts['roots'],
): Check {
  if (fingerprints === null)
    return problem(
      id,
      `NODE_EXTRA_CA_CERTS names ${path}, which holds no certificate or cannot be read.`,
      'user',
      'Correct the path, or remove the variable and set NODE_USE_SYSTEM_CA=1.',
    );
  const missing = (roots ?? []).filter((root) => !fingerprints.includes(root.fingerprint256));
  if (missing.length === 0)
    return ok(id, `Node programs also trust the authorities in ${path} (NODE_EXTRA_CA_CERTS).`);
  return problem(
    id,
    `NODE_EXTRA_CA_CERTS names ${path}, which lacks the tenant's root ${missing.map(short).join(', ')}.`,
    'user',
    'Set NODE_USE_SYSTEM_CA=1 as well, or add the root to the file.',
  );
}

function checkRefusals({ report }: TrustFacts): Check {
  const id = 'trust-programs';
  if (!report)
    return notChecked(id, 'Only a running agent knows which programs refuse certificates.');
  const programs = report.refusals.map(
    ({ process, host }) => `${process ?? 'a program'} (${host})`,
  );
  if (programs.length === 0)
    return ok(id, 'No program has refused a certificate in the last hour.');
  return problem(
    id,
    `These programs do not accept the certificates of this device, and are passed through without capture: ${formatNames(programs)}.`,
    'IT',
    'Each kind of program needs its own setting: see the table "What trusts the device\'s certificate" in docs/capture.md.',
  );
}
