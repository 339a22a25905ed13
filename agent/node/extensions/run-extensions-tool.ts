import { execFile, type ExecFileException } from 'node:child_process';
import type { ExtensionsTask } from '#agent/core/network-extensions/next-tasks.ts';
import { parseToolOutput, type ToolEvent } from '#agent/core/network-extensions/tool-output.ts';
import { oneLine } from '#lib/one-line.ts';

export type ToolResult =
  | { kind: 'answered'; ok: boolean; events: ToolEvent[] }
  /** The program gave no result. */
  | { kind: 'failed'; reason: string }
  | { kind: 'too late'; reason: string };

const MAX_OUTPUT_BYTES = 1_000_000;

/**
 * Runs one task of `gatehouse-extensions`. A task that macOS asks the user about ends with the
 * answer, so its limit is generous.
 */
export const runExtensionsTool = (
  program: string,
  task: ExtensionsTask | 'status',
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ToolResult> =>
  new Promise((resolve) => {
    const limits = { timeout: timeoutMs, maxBuffer: MAX_OUTPUT_BYTES };
    const options = { ...limits, signal, killSignal: 'SIGKILL', encoding: 'utf8' } as const;
    execFile(program, [task], options, (error, stdout, stderr) => {
      const events = parseToolOutput(stdout);
      const done = events.findLast((one) => one.event === 'done');
      if (done) return resolve({ kind: 'answered', ok: done.ok, events });
      if (error?.killed && error.code !== 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
        const reason = `gatehouse-extensions ${task} did not end within ${timeoutMs / 1000} seconds`;
        return resolve({ kind: 'too late', reason });
      }
      resolve({ kind: 'failed', reason: describeFailure(task, error, stderr) });
    });
  });

function describeFailure(task: string, error: ExecFileException | null, stderr: string): string {
  const name = `gatehouse-extensions ${task}`;
  if (error?.code === 'ENOENT') return 'the app lacks its program gatehouse-extensions';
  if (error?.signal)
    return `${name} was ended by ${error.signal}: macOS may not accept its signature`;
  const [line = ''] = stderr.trim().split('\n', 1);
  const code = typeof error?.code === 'number' ? ` and exited with ${error.code}` : '';
  return oneLine(`${name} printed no result${code}${line ? `: ${line}` : ''}`);
}
