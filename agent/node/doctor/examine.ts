import { checkCapture } from '#agent/core/doctor/capture.ts';
import type { Check } from '#agent/core/doctor/check.ts';
import { checkCodingAgents } from '#agent/core/doctor/coding-agents.ts';
import { checkConfiguration } from '#agent/core/doctor/configuration.ts';
import { checkControlPlane } from '#agent/core/doctor/control-plane.ts';
import { checkDeviceKeys } from '#agent/core/doctor/device-keys.ts';
import { checkActivation, checkExtensions } from '#agent/core/doctor/extensions.ts';
import { checkIdentity } from '#agent/core/doctor/identity.ts';
import {
  checkManagedPreferences,
  notCheckedWithoutAddress,
} from '#agent/core/doctor/managed-preferences.ts';
import { checkRunning } from '#agent/core/doctor/running-agent.ts';
import { checkStateFolder } from '#agent/core/doctor/state-folder.ts';
import { checkEnvironment } from '#agent/core/doctor/environment.ts';
import { checkTrust } from '#agent/core/doctor/trust.ts';
import { checkVersions } from '#agent/core/doctor/versions.ts';
import { agentVersion } from '../identity/device-facts.ts';
import { findLockHolder } from '../state/lock.ts';
import { platform } from '../platform.ts';
import { trustVariableNames } from './config.ts';
import { type ExamineOptions, type ComputerFacts, readFacts } from './facts.ts';
import { probeControlPlane } from './probe-control-plane.ts';
import { readCapture } from './read-capture.ts';
import { verifyIdentity } from './read-identity.ts';
import { readStateFolder } from './read-state.ts';
import { readEnvironment } from './read-environment.ts';
import { readTrust } from './read-trust.ts';
import type { AgentConfig } from '#agent/config.ts';
import { problemsIn, writeJson, writePage } from '#agent/core/doctor/page.ts';

export type { ExamineOptions } from './facts.ts';

type Section = (facts: ComputerFacts) => Check[] | Promise<Check[]>;

/** The sections in the order of the output; each follows those that it depends on. */
const sections: readonly Section[] = [
  examineVersions,
  ({ managed }) => checkManagedPreferences(managed),
  ({ stateDir, record }) => checkStateFolder(readStateFolder(stateDir, record?.dropped ?? null)),
  examineRunning,
  examineControlPlane,
  ({ report }) => checkDeviceKeys(report),
  examineConfiguration,
  examineCapture,
  ({ report }) => checkCodingAgents(report),
  examineExtensions,
  ({ report }) => checkActivation(report),
  examineTrust,
  examineEnvironment,
];

/** Runs all checks. Changes nothing on this computer. */
export async function examine(options: ExamineOptions): Promise<Check[]> {
  const facts = await readFacts(options);
  const checks = await Promise.all(sections.map(async (section) => section(facts)));
  return checks.flat();
}

async function examineVersions({ os }: ComputerFacts): Promise<Check[]> {
  const osVersion = await platform.readOsVersion();
  return checkVersions({ os, osVersion, agent: agentVersion, node: process.versions.node });
}

async function examineRunning({ os, stateDir, agentResponse }: ComputerFacts): Promise<Check[]> {
  // This user may not be permitted to read the folder.
  const holder = await findLockHolder(stateDir).catch(() => null);
  return checkRunning({ os, stateDir, holder, report: agentResponse, version: agentVersion });
}

/** The service and, if its certificate is trusted, whether it accepts this device's identity. */
async function examineControlPlane(facts: ComputerFacts): Promise<Check[]> {
  const { apiUrl, config, stored, report, proxies } = facts;
  const identity = { ...stored, report, now: Date.now() };
  if (apiUrl === null)
    return [
      ...notCheckedWithoutAddress('control-plane-address'),
      ...checkIdentity({ ...identity, verdict: null }),
    ];
  const service = await probeControlPlane({
    apiUrl,
    trustedRootsFile: config.trustedRootsFile,
    tenantRoots: stored.roots,
    proxies: proxies.map(({ address }) => address),
  });
  const isTrusted = service.tls && !('error' in service.tls) && !service.tls.refused;
  const verdict = isTrusted ? await verifyIdentity(apiUrl, stored, config.trustedRootsFile) : null;
  return [...checkControlPlane(service), ...checkIdentity({ ...identity, verdict })];
}

function examineConfiguration({ report, record, stored }: ComputerFacts): Check[] {
  return checkConfiguration({
    report,
    stored: record?.config?.version ?? null,
    isEnrolled: stored.certificate !== null || report?.phase === 'enrolled',
  });
}

async function examineCapture(facts: ComputerFacts): Promise<Check[]> {
  const { os, system, report, agentResponse, storedHosts, proxyPort, managed } = facts;
  const managedProblems = 'problems' in managed.reading && managed.reading.problems.length > 0;
  return checkCapture(
    await readCapture({
      os,
      system,
      report,
      isSilent: agentResponse === 'no answer',
      storedHosts,
      managedProblems,
      proxyPort,
    }),
  );
}

const ownExtensions = ({ config }: ComputerFacts): string[] =>
  ['proxymonitor', 'flowmonitor'].map((name) => `${config.bundleId}.${name}`);

async function examineExtensions(facts: ComputerFacts): Promise<Check[]> {
  const { os, system, captures } = facts;
  if (os !== 'macos') return [];
  return checkExtensions({
    extensions: await system.extensions(),
    expected: ownExtensions(facts),
    configurations: await system.networkConfigurations(),
    hasExtensions: system.hasExtensions(),
    captures,
  });
}

async function examineTrust({
  os,
  system,
  shell,
  captures,
  report,
  stored,
}: ComputerFacts): Promise<Check[]> {
  const session = await system.sessionEnvironment(trustVariableNames);
  const environment = { ...session, ...shell.trust };
  const { hasSudo } = shell;
  return checkTrust(readTrust({ os, captures, report, environment, hasSudo, roots: stored.roots }));
}

async function examineEnvironment(facts: ComputerFacts): Promise<Check[]> {
  const { system, shell, proxies, report, captures, proxyPort } = facts;
  return checkEnvironment(
    readEnvironment({
      system,
      shell,
      proxies,
      report,
      captures,
      proxyPort,
      extensions: (await system.extensions()) ?? [],
      ownExtensions: ownExtensions(facts),
    }),
  );
}

export interface DoctorRun {
  /** 0: no problem was found. 1: at least one problem was found. */
  code: 0 | 1;
  output: string;
}

/** Examines this computer; returns the output and the exit code. */
export async function runDoctor(
  config: AgentConfig,
  { json }: { json: boolean },
): Promise<DoctorRun> {
  const at = Date.now();
  const checks = await examine({ config });
  const write = json ? writeJson : writePage;
  return { code: problemsIn(checks).length > 0 ? 1 : 0, output: write({ at, checks }) };
}
