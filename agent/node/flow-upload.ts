import type { z } from 'zod';
import { type FlowReport, flowReport } from '#contract/fleet.ts';
import type { AgentOptions } from './agent-runtime.ts';
import type { Connection } from './connection.ts';
import type { Device } from './device.ts';
import type { Log } from './log.ts';
import type { Problems } from './problems.ts';
import { createSignal } from './signal.ts';
import { openSpool } from './spool.ts';
import { stateEntries } from './state-folder.ts';
import { startUploader } from './uploader.ts';

export interface FlowUploadOptions {
  options: AgentOptions;
  device: Device;
  connection: Connection;
  log: Log;
  problems: Problems;
  /** The control plane took so many reports. */
  onUploaded: (reports: number) => void;
}

/** Reports of flows, from the spool to the control plane. */
export interface FlowUpload {
  /** Stores a report to be uploaded. */
  add: (report: FlowReport) => void;
  /** Tries again now. */
  runNow: () => void;
  /** Reports that wait in the spool. */
  queued: () => number;
  /** Takes no more attempts; reports can still be added. */
  stop: () => Promise<void>;
  /** Closes the spool. */
  close: () => void;
}

export function startFlowUpload(given: FlowUploadOptions): FlowUpload {
  const { options, device, connection, log, problems, onUploaded } = given;
  const sealed = createSignal();
  const spool = openSpool({
    dir: device.file(stateEntries.flowSpool),
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
