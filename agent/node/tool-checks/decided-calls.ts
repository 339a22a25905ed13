import type { z } from 'zod';
import { decidedToolCall, type ToolCall } from '#contract/tool-checks.ts';
import type { BackoffLimits } from '#agent/core/backoff.ts';
import type { Connection } from '../link/connection.ts';
import type { Log } from '../log.ts';
import type { Problems } from '../status/problems.ts';
import { createSignal } from '../signal.ts';
import { openSpool } from '../reports/spool.ts';
import { startUploader } from '../reports/uploader.ts';

export interface DecidedCallsOptions {
  dir: string;
  connection: Connection;
  log: Log;
  problems: Problems;
  maxOpenMs: number;
  backoff?: BackoffLimits | undefined;
  onUploaded: (calls: number) => void;
}

export interface DecidedCalls {
  add: (call: ToolCall) => void;
  runNow: () => void;
  stop: () => Promise<void>;
}

/**
 * Calls that the control plane did not decide: the policies on this device did, or, because the
 * control plane did not respond, the mode (open or closed). They are stored on disk until the
 * control plane has received them.
 */
export function startDecidedCalls(options: DecidedCallsOptions): DecidedCalls {
  const { dir, connection, log, problems, maxOpenMs, backoff } = options;
  const sealed = createSignal();
  const spool = openSpool({
    dir,
    report: decidedToolCall,
    maxOpenMs,
    maxBytes: 16 * 1024 * 1024,
    onSealed: sealed.emit,
    onProblem: (line) => problems.set('tool calls', [line]),
  });
  const uploader = startUploader({
    spool,
    connection,
    part: 'tool calls',
    send: (device, { batch_id, reports }, signal) =>
      device.reportToolCalls(
        { body: { batch_id, calls: reports as z.input<typeof decidedToolCall>[] } },
        { signal },
      ),
    backoff,
    onUploaded: options.onUploaded,
    onRejected: log.error,
  });
  sealed.subscribe(uploader.wake);
  return {
    add: (call) => void spool.append({ ...call, at: Date.now() }),
    runNow: uploader.runNow,
    stop: async () => {
      await uploader.stop();
      spool.close();
    },
  };
}
