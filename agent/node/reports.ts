import { join } from 'node:path';
import { rememberFlow } from '#agent/core/status.ts';
import type { AppReport, FlowReport } from '#contract/fleet.ts';
import type { AgentOptions } from './agent-runtime.ts';
import type { ControlPlaneLink } from './control-plane-link.ts';
import type { Device } from './device.ts';
import { startFlowUpload } from './flow-upload.ts';
import type { OnResolved } from './flows/source/source.ts';
import { createInventoryThread } from './inventory/inventory-thread.ts';
import { startInventoryReports } from './inventory-reports.ts';
import type { Log } from './log.ts';
import { startObservation } from './observation.ts';
import type { Problems } from './problems.ts';
import { createReachedHosts, type Reached } from './reached-hosts.ts';
import { stateEntries } from './state-folder.ts';

export interface ReportsOptions {
  options: AgentOptions;
  device: Device;
  link: ControlPlaneLink;
  log: Log;
  problems: Problems;
  /** What a name server answered a program on this machine about an AI host. */
  onResolved: OnResolved;
  /** The control plane took so many reports of flows, or one inventory. */
  onSent: (kind: 'flow_reports' | 'inventories', reports: number) => void;
  /** Something that the status shows has changed. */
  changed: () => void;
}

/** What this device observes, from this machine to the control plane. */
export interface Reports {
  /** The apps of the last scan. */
  apps: () => readonly AppReport[];
  /** The last flows, newest first. */
  recentFlows: () => FlowReport[];
  openFlows: () => FlowReport[];
  /** Which hosts of the catalog apps were seen to reach. */
  reached: () => Reached[];
  /** Reports that wait in the spool. */
  queued: () => number;
  /** Reports that the control plane took since this process began. */
  uploaded: () => number;
  stop: () => Promise<void>;
}

/** Scans for AI apps and observes flows while this device is managed, and uploads what it finds. */
export function startReports(given: ReportsOptions): Reports {
  const { options, device, link, log, problems, changed } = given;
  const { connection } = link;
  const { backoff } = options;
  const reached = createReachedHosts();
  let apps: AppReport[] = [];
  let recentFlows: FlowReport[] = [];
  let uploaded = 0;
  let isChecked = false;

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
      given.onSent('flow_reports', reports);
      changed();
    },
  });

  const scanning = createInventoryThread();
  const inventory = startInventoryReports({
    scan: options.scan ?? scanning.scan,
    changed: scanning.changed,
    everyMs: options.inventorySeconds * 1000,
    ready: isManaged,
    connection,
    problems,
    backoff,
    onScanned: (found) => {
      apps = found;
      changed();
    },
    onSent: () => {
      given.onSent('inventories', 1);
      changed();
    },
  });
  const observation = startObservation({
    stateFile: device.file(stateEntries.openFlows),
    wanted: isManaged,
    addresses: link.addresses,
    problems,
    onReport: (report) => {
      upload.add(report);
      recentFlows = rememberFlow(recentFlows, report);
      reached.add(report);
      changed();
    },
    onNotObserved: (started_at, ended_at) =>
      device.state.addGap({ reason: 'not_running', started_at, ended_at }),
    onResolved: given.onResolved,
    flowMonitor: { path: join(options.extensionFolder, 'flowmonitor.sock') },
    onChecked: () => {
      if (!isChecked) inventory.runNow();
      isChecked = true;
    },
    observe: options.observe,
  });
  link.resumed.subscribe(() => {
    upload.runNow();
    observation.check();
    // The first scan waits for the first look: it reads thousands of files, and flows that begin and
    // end meanwhile would be missed.
    if (isChecked) inventory.runNow();
  });

  return {
    apps: () => apps,
    recentFlows: () => recentFlows,
    openFlows: observation.openFlows,
    reached: reached.list,
    queued: upload.queued,
    uploaded: () => uploaded,
    stop: async () => {
      await observation.stop();
      await Promise.all([inventory.stop(), upload.stop()]);
      await scanning.stop();
      upload.close();
    },
  };
}
