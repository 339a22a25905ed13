import type { z } from 'zod';
import { type FlowReport, flowReport } from '#contract/flows.ts';
import type { AgentOptions } from '../agent-runtime.ts';
import type { Connection } from '../link/connection.ts';
import type { Device } from '../identity/device.ts';
import type { Log } from '../log.ts';
import type { Problems } from '../status/problems.ts';
import { createSignal } from '../signal.ts';
import { openSpool } from './spool.ts';
import { stateEntries } from '../state/state-folder.ts';
import { startUploader } from './uploader.ts';

export interface FlowUploadOptions {
  options: AgentOptions;
  device: Device;
  connection: Connection;
  log: Log;
  problems: Problems;
  /** Called with the number of reports that the control plane accepted. */
  onUploaded: (reports: number) => void;
}

/** Uploads reports of flows from the spool to the control plane. */
export interface FlowUpload {
  /** Stores a report to be uploaded. */
  add: (report: FlowReport) => void;
  /** Retries now. */
  runNow: () => void;
  /** Returns the number of reports in the spool. */
  queued: () => number;
  /** Stops uploading; reports can still be added. */
  stop: () => Promise<void>;
  /** Closes the spool. */
  close: () => void;
}

export function startFlowUpload(deps: FlowUploadOptions): FlowUpload {
  const { options, device, connection, log, problems, onUploaded } = deps;
  const sealed = createSignal();
  const spool = openSpool({
    dir: device.file(stateEntries.flowSpool),
    report: flowReport,
    maxOpenMs: options.flowUploadSeconds * 1000,
    onSealed: sealed.emit,
    onDropped: (reports, started_at, ended_at) =>
      device.state.addGap({ reason: 'dropped', started_at, ended_at }, reports),
    onProblem: (line) => problems.set('spool', [line]),
  });
  const uploader = startUploader({
    spool,
    connection,
    part: 'upload',
    // Reports are stored in their wire format.
    send: (deviceClient, { batch_id, reports }, signal) =>
      deviceClient.reportFlows(
        { body: { batch_id, flows: reports as z.input<typeof flowReport>[] } },
        { signal },
      ),
    backoff: options.backoff,
    onUploaded,
    onRejected: log.error,
  });
  sealed.subscribe(uploader.wake);
  return {
    add: (report) => {
      if (spool.append(report)) problems.set('spool');
    },
    runNow: uploader.runNow,
    queued: () => spool.queued(),
    stop: uploader.stop,
    close: () => spool.close(),
  };
}
