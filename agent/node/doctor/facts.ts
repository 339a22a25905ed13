import { join } from 'node:path';
import type { AgentConfig } from '#agent/config.ts';
import type { AgentReport } from '#agent/core/doctor/agent-report.ts';
import { type CapturedHosts, capturesAny, findCapturedHosts } from '#agent/core/doctor/capture.ts';
import type { ManagedFacts } from '#agent/core/doctor/managed-preferences.ts';
import type { RunningFacts } from '#agent/core/doctor/running-agent.ts';
import type { NamedProxy } from '#agent/core/doctor/environment.ts';
import { captureHosts } from '../identity/issued-certificates.ts';
import { platform } from '../platform.ts';
import { fetchAgentReport } from '../status/status-socket.ts';
import type { DeviceRecord } from '../state/state.ts';
import { readShellEnvironment, type ShellEnvironment } from './config.ts';
import { findStateFolder, stateEntries } from '../state/state-folder.ts';
import { readStoredDevice, type StoredDevice } from './read-identity.ts';
import { readManaged } from './read-managed.ts';
import { readProxies } from './read-environment.ts';
import { type DoctorSystem, system as thisSystem } from './system/index.ts';

export interface ExamineOptions {
  config: AgentConfig;
  system?: DoctorSystem;
  shell?: ShellEnvironment;
}

/** The facts that several checks need; read once. */
export interface ComputerFacts {
  config: AgentConfig;
  os: string;
  system: DoctorSystem;
  shell: ShellEnvironment;
  stateDir: string;
  stored: StoredDevice;
  /** The stored record, if it can be read. */
  record: DeviceRecord | null;
  /** The response of the running agent on its status socket. */
  agentResponse: RunningFacts['report'];
  /** The report, if the response is one. */
  report: AgentReport | null;
  managed: ManagedFacts;
  apiUrl: string | null;
  proxies: readonly NamedProxy[];
  /** The port of the agent's own proxy. */
  proxyPort: number | null;
  /** The hosts that the stored configuration captures. */
  storedHosts: CapturedHosts;
  /** Whether any host is captured; null if unknown. */
  captures: boolean | null;
}

export async function readFacts(options: ExamineOptions): Promise<ComputerFacts> {
  const { config, system = thisSystem, shell = readShellEnvironment() } = options;
  const stateDir = findStateFolder(config);
  const [stored, agentResponse, proxies] = await Promise.all([
    readStoredDevice(stateDir, config),
    fetchAgentReport(join(stateDir, stateEntries.statusSocket)),
    readProxies(system, shell),
  ]);
  const report = agentResponse !== null && typeof agentResponse === 'object' ? agentResponse : null;
  const record = typeof stored.record === 'object' ? stored.record : null;
  const storedHosts = hostsOf(stored.record);
  const managed = await readManaged(
    report?.managed_preferences ?? config.managedPreferences,
    platform.os,
  );
  return {
    config,
    os: platform.os,
    system,
    shell,
    stateDir,
    stored,
    record,
    agentResponse,
    report,
    managed,
    apiUrl: 'config' in managed.reading ? managed.reading.config.api_url : null,
    proxies,
    proxyPort: report ? report.proxy_port : config.proxyPort,
    storedHosts,
    captures: capturesAny(findCapturedHosts({ report, storedHosts })),
  };
}

/** Returns the hosts that a stored configuration captures. */
function hostsOf(record: StoredDevice['record']): CapturedHosts {
  if (record === 'private' || record === 'damaged') return record;
  return record?.config ? captureHosts(record.config) : 'none';
}
