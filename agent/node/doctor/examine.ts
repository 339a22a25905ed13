import type { AgentConfig } from '#agent/config.ts';
import type { Check } from '#agent/core/doctor/check.ts';
import { checkCapture } from '#agent/core/doctor/capture.ts';
import { checkConfiguration } from '#agent/core/doctor/configuration.ts';
import { checkControlPlane } from '#agent/core/doctor/control-plane.ts';
import { checkExtensions } from '#agent/core/doctor/extensions.ts';
import { checkIdentity } from '#agent/core/doctor/identity.ts';
import { checkManagedPreferences, withoutAddress } from '#agent/core/doctor/managed-preferences.ts';
import { checkRunning } from '#agent/core/doctor/running-agent.ts';
import { checkStateFolder } from '#agent/core/doctor/state-folder.ts';
import { checkSurroundings } from '#agent/core/doctor/surroundings.ts';
import { checkTrust } from '#agent/core/doctor/trust.ts';
import { checkVersions } from '#agent/core/doctor/versions.ts';
import { findLockHolder } from '../lock.ts';
import { agentVersion } from '../device-facts.ts';
import { captureHosts } from '../issued-certificates.ts';
import { platform } from '../platform/index.ts';
import { askForReport, reportSocketName } from '../report-socket.ts';
import { readShellEnvironment, type ShellEnvironment, trustVariableNames } from './config.ts';
import { findStateFolder } from './find-state-folder.ts';
import { probeControlPlane } from './probe-control-plane.ts';
import { readCapture } from './read-capture.ts';
import { askAboutIdentity, readStoredDevice } from './read-identity.ts';
import { readManaged } from './read-managed.ts';
import { readStateFolder } from './read-state.ts';
import { readProxies, readSurroundings } from './read-surroundings.ts';
import { readTrust } from './read-trust.ts';
import { type DoctorSystem, system as thisSystem } from './system/index.ts';
import { join } from 'node:path';

export interface ExamineOptions {
  config: AgentConfig;
  system?: DoctorSystem;
  shell?: ShellEnvironment;
}

/** All checks, each after those that it depends on. Changes nothing on this computer. */
// oxlint-disable-next-line complexity -- a list: its conditions are those of single checks
export async function examine(options: ExamineOptions): Promise<Check[]> {
  const { config, system = thisSystem, shell = readShellEnvironment() } = options;
  const { os } = platform;
  const stateDir = findStateFolder(config);
  const [stored, asked, holder] = await Promise.all([
    readStoredDevice(stateDir, config.hardwareId),
    askForReport(join(stateDir, reportSocketName)),
    findHolder(stateDir),
  ]);
  const report = asked !== null && typeof asked === 'object' ? asked : null;
  const record = typeof stored.record === 'object' ? stored.record : null;
  const proxies = await readProxies(system, shell);
  const proxyPort = report ? report.proxy_port : config.proxyPort;

  const managed = await readManaged(report?.managed_preferences ?? config.managedPreferences, os);
  const apiUrl = 'config' in managed.reading ? managed.reading.config.api_url : null;
  const service =
    apiUrl === null
      ? null
      : await probeControlPlane({
          apiUrl,
          trustedRootsFile: config.trustedRootsFile,
          tenantRoots: stored.roots,
          proxies: proxies.map(({ address }) => address),
        });
  const isTrusted = service?.tls && !('error' in service.tls) && !service.tls.refused;
  const verdict =
    apiUrl !== null && isTrusted
      ? await askAboutIdentity(apiUrl, stored, config.trustedRootsFile)
      : null;

  const storedHosts = record?.config ? captureHosts(record.config) : null;
  const captures = report ? report.capture.enabled : (storedHosts ?? []).length > 0;
  const extensions = await system.extensions();
  const configurations = await system.networkConfigurations();
  const ownExtensions = ['proxymonitor', 'flowmonitor'].map((name) => `${config.bundleId}.${name}`);
  const environment = { ...(await system.sessionEnvironment(trustVariableNames)), ...shell.trust };

  return [
    ...checkVersions({
      os,
      osVersion: await platform.readOsVersion(),
      agent: agentVersion,
      node: process.versions.node,
    }),
    ...checkManagedPreferences(managed),
    ...checkStateFolder(readStateFolder(stateDir, record?.dropped ?? null)),
    ...checkRunning({ os, stateDir, holder, report: asked, version: agentVersion }),
    ...(service ? checkControlPlane(service) : withoutAddress('control-plane-address')),
    ...checkIdentity({ ...stored, verdict, report, now: Date.now() }),
    ...checkConfiguration({
      report,
      stored: record?.config?.version ?? null,
      isEnrolled: stored.certificate !== null || report?.phase === 'enrolled',
    }),
    ...checkCapture(
      await readCapture({
        os,
        system,
        report,
        storedHosts,
        managedProblems: 'problems' in managed.reading && managed.reading.problems.length > 0,
        proxyPort,
      }),
    ),
    ...(os === 'macos'
      ? checkExtensions({
          extensions,
          wanted: ownExtensions,
          configurations,
          hasExtensions: system.hasExtensions(),
        })
      : []),
    ...checkTrust(readTrust({ os, captures, report, environment, roots: stored.roots })),
    ...checkSurroundings(
      readSurroundings({
        system,
        shell,
        proxies,
        report,
        captures,
        proxyPort,
        extensions: extensions ?? [],
        ownExtensions,
      }),
    ),
  ];
}

/** Null where the folder may not be read, too. */
const findHolder = (stateDir: string): Promise<number | null> =>
  findLockHolder(stateDir).catch(() => null);
