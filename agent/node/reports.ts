import { rememberFlow } from '#agent/core/status.ts';
import type { z } from 'zod';
import { type AppReport, type FlowReport, flowReport } from '#contract/fleet.ts';
import type { AgentOptions } from './agent-runtime.ts';
import type { ControlPlaneLink } from './control-plane-link.ts';
import type { Device } from './device.ts';
import type { OnResolved } from './flows/source/source.ts';
import { type ScanInventory, startInventoryReports } from './inventory-reports.ts';
import type { Log } from './log.ts';
import { startObservation } from './observation.ts';
import type { Problems } from './problems.ts';
import { createSignal } from './signal.ts';
import { openSpool } from './spool.ts';
import { startUploader } from './uploader.ts';

export interface ReportsOptions {
  options: AgentOptions;
  device: Device;
  link: ControlPlaneLink;
  log: Log;
  problems: Problems;
  /** What a name server told a program on this machine about an AI host. */
  onResolved: OnResolved;
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
  const sealed = createSignal();
  let apps: AppReport[] = [];
  let recentFlows: FlowReport[] = [];
  let uploaded = 0;
  let isChecked = false;

  const isManaged = (): boolean =>
    link.managed() !== null && device.state.read().device_id !== null;

  const spool = openSpool({
    dir: device.file('spool'),
    report: flowReport,
    openMs: options.flowUploadSeconds * 1000,
    onSealed: sealed.send,
    onDropped: (reports, started_at, ended_at) =>
      device.state.addGap({ reason: 'dropped', started_at, ended_at }, reports),
    onProblem: (line) => problems.set('spool', [line]),
  });
  const uploader = startUploader({
    spool,
    connection,
    part: 'upload',
    // On disk they are as they go over the wire.
    send: (to, { batch_id, reports }, signal) =>
      to.reportFlows(
        { body: { batch_id, flows: reports as z.input<typeof flowReport>[] } },
        { signal },
      ),
    backoff,
    onUploaded: (reports) => {
      uploaded += reports;
      changed();
    },
    onRejected: log.error,
  });
  sealed.subscribe(uploader.wake);

  const inventory = startInventoryReports({
    scan: options.scan ?? scanThisMachine,
    everyMs: options.inventorySeconds * 1000,
    ready: isManaged,
    connection,
    problems,
    backoff,
    onScanned: (found) => {
      apps = found;
      changed();
    },
  });
  const observation = startObservation({
    stateFile: device.file('open-flows.json'),
    wanted: isManaged,
    addresses: link.addresses,
    problems,
    onReport: (report) => {
      if (spool.append(report)) problems.set('spool');
      recentFlows = rememberFlow(recentFlows, report);
      changed();
    },
    onNotObserved: (started_at, ended_at) =>
      device.state.addGap({ reason: 'not_running', started_at, ended_at }),
    onResolved: given.onResolved,
    onChecked: () => {
      if (!isChecked) inventory.hurry();
      isChecked = true;
    },
    observe: options.observe,
  });
  link.resumed.subscribe(() => {
    uploader.hurry();
    observation.check();
    // The first scan waits for the first look: it reads thousands of files, and flows that begin and
    // end meanwhile would be missed.
    if (isChecked) inventory.hurry();
  });

  return {
    apps: () => apps,
    recentFlows: () => recentFlows,
    openFlows: observation.openFlows,
    queued: () => spool.queued(),
    uploaded: () => uploaded,
    stop: async () => {
      await observation.stop();
      await Promise.all([inventory.stop(), uploader.stop()]);
      spool.close();
    },
  };
}

/** Loaded when it is first needed, after the first look at flows. */
const scanThisMachine: ScanInventory = async (signal) => {
  const { findHomes } = await import('./inventory/homes.ts');
  const { scanInventory } = await import('./inventory/scan.ts');
  return scanInventory({ homes: await findHomes(), signal });
};
