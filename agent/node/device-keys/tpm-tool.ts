import { execFile } from 'node:child_process';
import { SYSTEM_PATH } from '../system-path.ts';

export type ToolResult =
  | { kind: 'done'; output: Buffer }
  | { kind: 'failed'; messages: string }
  | { kind: 'missing' }
  | { kind: 'timeout' };

export interface ToolOptions {
  /** The folder of the files that the arguments name. */
  folder: string;
  /** A TCTI of tpm2-tools: how the TPM is reached. */
  tcti: string;
  /** Standard input. */
  input?: Buffer;
  timeoutMs: number;
  /** Kills the program. */
  signal: AbortSignal;
}

/** Runs one program of tpm2-tools. Secrets are only in its standard input and output. */
export function runTpmTool(
  [tool, ...args]: readonly [string, ...string[]],
  { folder, tcti, input, timeoutMs, signal }: ToolOptions,
): Promise<ToolResult> {
  return new Promise((resolve) => {
    const child = execFile(
      tool,
      ['-T', tcti, ...args],
      {
        cwd: folder,
        encoding: 'buffer',
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        signal,
        // The libraries below the tools log the same failures again.
        env: { PATH: SYSTEM_PATH, LC_ALL: 'C', TSS2_LOG: 'all+NONE' },
      },
      (error, output, messages) => {
        if (error === null) resolve({ kind: 'done', output });
        else if (error.code === 'ENOENT') resolve({ kind: 'missing' });
        else if (error.killed || signal.aborted) resolve({ kind: 'timeout' });
        else resolve({ kind: 'failed', messages: messages.toString() });
      },
    );
    // A tool that fails may end before it has read its input.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}
