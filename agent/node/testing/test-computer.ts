import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type PlistValue } from 'plist';
import type { FlowReport } from '#contract/flows.ts';
import { createLog } from '../log.ts';
import type { ObserveFlows } from '../reports/flow-supervisor.ts';
import { type AgentOptions, type AgentRuntime, startAgent } from '../start-agent.ts';
import type { TestControlPlane } from './control-plane.ts';

/** A computer with an agent: its folders, its profile, and flows controlled by the test. */
export interface TestComputer extends AsyncDisposable {
  dir: string;
  stateDir: string;
  preferences: string;
  lines: string[];
  /** Delivers managed preferences as a system does, by replacing the whole file. */
  manage: (values: PlistValue) => void;
  trust: (pem: string) => void;
  /** Starts the agent; only one at a time. */
  start: (more?: Partial<AgentOptions>) => Promise<AgentRuntime>;
  /** Stops the started agents. */
  stopAll: () => Promise<void>;
  observe: (report: FlowReport) => void;
}

export function createTestComputer(): TestComputer {
  const dir = mkdtempSync(join(tmpdir(), 'agent-'));
  const [stateDir, preferences] = [join(dir, 'state'), join(dir, 'managed.plist')];
  const rootsFile = join(dir, 'roots.pem');
  const lines: string[] = [];
  const agents: AgentRuntime[] = [];
  let onReport: ((report: FlowReport) => void) | undefined;

  const observe: ObserveFlows = async (options) => {
    onReport = options.onReport;
    return {
      stop: async () => void (onReport = undefined),
      openFlows: () => [],
    };
  };
  const options = (): AgentOptions => ({
    bundleId: 'com.gatehouse.agent',
    managedPreferences: preferences,
    stateDir,
    extensionFolder: `${stateDir}/no-extensions`,
    extensionsProgram: null,
    trustedRootsFile: rootsFile,
    hardwareId: 'test-machine-0001',
    logLevel: 'info',
    inventorySeconds: 3600,
    heartbeatSeconds: 0.1,
    flowUploadSeconds: 0.05,
    policyCheckSeconds: 30,
    proxyPort: null,
    otlpPort: 0,
    systemTrust: false,
    systemRoot: null,
    toolPreferences: null,
    toolSocket: join(stateDir, 'tools.sock'),
    tpm: null,
    backoff: { firstMs: 20, maxMs: 50 },
    preferencesPollMs: 50,
    log: createLog({ level: 'info', write: (line) => void lines.push(line) }),
    observe,
    scan: async () => ({ apps: [], problems: [] }),
    openListeners: async () => [],
  });

  return {
    dir,
    stateDir,
    preferences,
    lines,
    manage: (values) => {
      writeFileSync(`${preferences}.new`, build(values));
      renameSync(`${preferences}.new`, preferences);
    },
    trust: (pem) => writeFileSync(rootsFile, pem),
    start: async (more = {}) => {
      const agent = await startAgent({ ...options(), ...more });
      agents.push(agent);
      return agent;
    },
    stopAll: async () => {
      await Promise.all(agents.splice(0).map((agent) => agent.stop()));
    },
    observe: (report) => {
      if (!onReport) throw new Error('nothing observes flows now');
      onReport(report);
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(agents.map((agent) => agent.stop()));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Creates a computer whose profile points to the control plane. */
export function createManagedTestComputer(plane: TestControlPlane): TestComputer {
  const computer = createTestComputer();
  computer.trust(plane.root.certificatePem);
  computer.manage({ api_url: plane.url(), api_key: plane.apiKey });
  return computer;
}
