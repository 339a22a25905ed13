import { execFile, type ExecFileException } from 'node:child_process';
import { errnoOf } from '../state/atomic-file.ts';
import { SYSTEM_PATH } from '../system-path.ts';
import type { TpmAccess } from './tpm-access.ts';

export type ToolResult =
  | { kind: 'done'; output: Buffer }
  | { kind: 'failed'; messages: string }
  | { kind: 'not_started'; code: string }
  | { kind: 'timeout' };

export interface ToolOptions {
  /** The folder of the files that the arguments name. */
  folder: string;
  access: TpmAccess;
  /** Standard input. */
  input?: Buffer;
  timeoutMs: number;
  /** Kills the program. */
  signal: AbortSignal;
}

/**
 * Runs one program of tpm2-tools. `command` has no quotes or spaces within arguments. Secrets are only
 * in its standard input and output.
 */
export function runTpmTool(
  command: string,
  { folder, access, input, timeoutMs, signal }: ToolOptions,
): Promise<ToolResult> {
  const [tool = '', ...args] = command.split(' ');
  return new Promise((resolve) => {
    const done = (error: ExecFileException | null, output: Buffer, messages: Buffer): void => {
      if (error === null) resolve({ kind: 'done', output });
      else if (error.killed || signal.aborted) resolve({ kind: 'timeout' });
      else if (typeof error.code === 'string') resolve({ kind: 'not_started', code: error.code });
      else resolve({ kind: 'failed', messages: messages.toString() });
    };
    try {
      const child = execFile(
        tool,
        ['-T', access.tcti, ...args],
        {
          cwd: folder,
          encoding: 'buffer',
          timeout: timeoutMs,
          killSignal: 'SIGKILL',
          signal,
          // The libraries below the tools log the same failures again.
          env: { PATH: SYSTEM_PATH, LC_ALL: 'C', TSS2_LOG: 'all+NONE' },
          ...(access.gid !== undefined && { gid: access.gid }),
        },
        done,
      );
      // A tool that fails may end before it has read its input.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(input);
    } catch (error) {
      // Thrown if this process may not change its group.
      resolve({ kind: 'not_started', code: errnoOf(error) ?? String(error) });
    }
  });
}
