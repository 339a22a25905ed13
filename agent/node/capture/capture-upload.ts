import type { z } from 'zod';
import { type CaptureReport, captureReport } from '#contract/captures.ts';
import type { AgentOptions } from '../agent-runtime.ts';
import type { ControlPlaneLink } from '../link/control-plane-link.ts';
import type { Device } from '../identity/device.ts';
import type { Log } from '../log.ts';
import type { Problems } from '../status/problems.ts';
import { createSignal } from '../signal.ts';
import { openSpool } from '../reports/spool.ts';
import { stateEntries } from '../state/state-folder.ts';
import { startUploader } from '../reports/uploader.ts';
import type { Notices } from './notices.ts';
import { createSentExchanges, type SentExchanges } from './sent-exchanges.ts';

export interface CaptureUploadOptions {
  options: AgentOptions;
  device: Device;
  link: ControlPlaneLink;
  log: Log;
  problems: Problems;
  notices: Notices;
  /** Called with the number of exchanges that were uploaded. */
  onUploaded: (captures: number) => void;
}

/** Uploads redacted exchanges from the spool to the control plane. */
export interface CaptureUpload {
  /** Stores an exchange to be uploaded. */
  add: (report: CaptureReport) => void;
  /** Returns the number of reports in the spool. */
  queued: () => number;
  /** The last exchanges that the control plane accepted, as they were uploaded. */
  sent: SentExchanges;
  stop: () => Promise<void>;
}

export function startCaptureUpload(deps: CaptureUploadOptions): CaptureUpload {
  const { options, device, link, log, problems, notices } = deps;
  const sealed = createSignal();
  const sent = createSentExchanges();
  const spool = openSpool<CaptureReport>({
    dir: device.file(stateEntries.captureSpool),
    report: captureReport,
    maxOpenMs: options.flowUploadSeconds * 1000,
    maxReports: 50,
    onSealed: sealed.emit,
    onDropped: device.state.countDropped,
    onProblem: (line) => problems.set('capture spool', [line]),
  });
  const uploader = startUploader({
    spool,
    connection: link.connection,
    part: 'capture upload',
    send: async (deviceClient, { batch_id, reports }, signal) => {
      const captures = reports as z.input<typeof captureReport>[];
      const { refused } = await deviceClient.reportCaptures(
        { body: { batch_id, captures } },
        { signal },
      );
      for (const { reason } of refused) notices.add(`an exchange was refused: ${reason}`);
      const ids = new Set(refused.map(({ id }) => id));
      sent.add(captures.filter(({ id }) => !ids.has(id)));
    },
    backoff: options.backoff,
    onUploaded: deps.onUploaded,
    onRejected: log.error,
  });
  sealed.subscribe(uploader.wake);
  link.connectionChanged.subscribe(uploader.runNow);
  return {
    add: (report) => {
      if (spool.append(report)) problems.set('capture spool');
    },
    queued: () => spool.queued(),
    sent,
    stop: async () => {
      spool.close();
      await uploader.stop();
    },
  };
}
