import { join } from 'node:path';
import { rememberFlow } from '#agent/core/status.ts';
import type { FlowReport } from '#contract/flows.ts';
import type { AppReport } from '#contract/inventory.ts';
import type { AgentOptions } from '../agent-runtime.ts';
import type { NamedConnection } from '../capture/listeners/capture-listener.ts';
import type { ControlPlaneLink } from '../link/control-plane-link.ts';
import type { Device } from '../identity/device.ts';
import { startFlowUpload } from './flow-upload.ts';
import type { OnResolved } from '../flows/source/flow-source.ts';
import { createInventoryThread } from '../inventory/inventory-thread.ts';
import { startInventoryReports } from './inventory-reports.ts';
import type { Log } from '../log.ts';
import { startFlowSupervisor } from './flow-supervisor.ts';
import type { Problems } from '../status/problems.ts';
import type { Signal } from '../signal.ts';
import { stateEntries } from '../state/state-folder.ts';

export interface ReachedHost {
  app_id: string;
  host: string;
}

export interface ReachedHosts {
  add: (flow: FlowReport) => void;
  list: () => ReachedHost[];
}

const MAX_HOSTS = 500;

/**
 * Collects the catalog hosts that apps on this device have connected to since the agent started.
 */
export function createReachedHosts(): ReachedHosts {
  const reached = new Map<string, ReachedHost>();
  return {
    add: ({ app_id, host }) => {
      if (app_id === null || host === null || reached.size >= MAX_HOSTS) return;
      reached.set(`${app_id} ${host}`, { app_id, host });
    },
    list: () => [...reached.values()],
  };
}

export interface ReportsOptions {
  options: AgentOptions;
  device: Device;
  link: ControlPlaneLink;
  log: Log;
  problems: Problems;
  /** Called with a DNS response that a program on this machine received for an AI host. */
  onResolved: OnResolved;
  /** Redirected connections, which the observer of flows cannot name by itself. */
  named: Signal<NamedConnection>;
  /** Called when the control plane has accepted flow reports or an inventory. */
  onSent: (kind: 'flow_reports' | 'inventories', reports: number) => void;
  /** Called when something that the status shows has changed. */
  changed: () => void;
}

/** The observations of this device and their upload. */
export interface Reports {
  /** Returns the apps of the last scan. */
  apps: () => readonly AppReport[];
  /** Returns the latest flows, newest first. */
  recentFlows: () => FlowReport[];
  openFlows: () => FlowReport[];
  /** Returns the catalog hosts that apps have connected to. */
  reachedHosts: () => ReachedHost[];
  /** Returns the number of reports in the spool. */
  queued: () => number;
  /**
   * Returns the number of reports that the control plane has accepted since this process started.
   */
  uploaded: () => number;
  stop: () => Promise<void>;
}

/** Scans for AI apps and observes flows while this device is managed, and uploads the results. */
export function startReports(deps: ReportsOptions): Reports {
  const { options, device, link, log, problems, changed } = deps;
  const { connection } = link;
  const { backoff } = options;
  const reached = createReachedHosts();
  let apps: AppReport[] = [];
  let recentFlows: FlowReport[] = [];
  let uploaded = 0;
  let isObserverAttempted = false;

  const isManaged = (): boolean =>
    link.managed() !== null && device.state.read().device_id !== null;

  const upload = startFlowUpload({
    options,
    device,
    connection,
    log,
    problems,
    onUploaded: (reports) => {
      uploaded += reports;
      deps.onSent('flow_reports', reports);
      changed();
    },
  });

  const scanning = createInventoryThread();
  const inventory = startInventoryReports({
    scan: options.scan ?? scanning.scan,
    changed: scanning.changed,
    intervalMs: options.inventorySeconds * 1000,
    isReady: isManaged,
    connection,
    problems,
    backoff,
    onScanned: (found) => {
      apps = found;
      changed();
    },
    onSent: () => {
      deps.onSent('inventories', 1);
      changed();
    },
  });
  const flowSupervisor = startFlowSupervisor({
    stateFile: device.file(stateEntries.openFlows),
    isEnabled: isManaged,
    addresses: link.addresses,
    problems,
    onReport: (report) => {
      upload.add(report);
      recentFlows = rememberFlow(recentFlows, report);
      reached.add(report);
      changed();
    },
    onGap: (started_at, ended_at) =>
      device.state.addGap({ reason: 'not_running', started_at, ended_at }),
    onResolved: deps.onResolved,
    named: deps.named,
    flowMonitor: { path: join(options.extensionFolder, 'flowmonitor.sock') },
    onStartAttempted: () => {
      if (!isObserverAttempted) inventory.runNow();
      isObserverAttempted = true;
    },
    observe: options.observe,
  });
  link.connectionChanged.subscribe(() => {
    upload.runNow();
    flowSupervisor.update();
    // The first scan waits for the first poll: it reads thousands of files, and flows that begin
    // and end during that time would be missed.
    if (isObserverAttempted) inventory.runNow();
  });

  return {
    apps: () => apps,
    recentFlows: () => recentFlows,
    openFlows: flowSupervisor.openFlows,
    reachedHosts: reached.list,
    queued: upload.queued,
    uploaded: () => uploaded,
    stop: async () => {
      await flowSupervisor.stop();
      await Promise.all([inventory.stop(), upload.stop()]);
      await scanning.stop();
      upload.close();
    },
  };
}
