import { spawn } from 'node:child_process';
import { PackagingError } from './packaging-error.ts';

/** The maximum stored length of the output; of a longer output, only the end is stored. */
const MAX_OUTPUT_CHARACTERS = 100_000;

/**
 * Runs a program until it ends. Returns its output.
 *
 * @throws PackagingError with its name and the line with the reason
 */
export function run(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string | undefined> } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const append = (text: string): void =>
      void (output = (output + text).slice(-MAX_OUTPUT_CHARACTERS));
    child.stdout.setEncoding('utf8').on('data', append);
    child.stderr.setEncoding('utf8').on('data', append);
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(
        new PackagingError(
          error.code === 'ENOENT' ? `${program} is not installed` : `${program}: ${error.message}`,
        ),
      ),
    );
    child.on('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new PackagingError(`${program} failed: ${reasonIn(output)}`));
    });
  });
}

/** Returns the first line with the word "error", or else the last line. */
function reasonIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return lines.find((line) => /error/i.test(line))?.trim() ?? lines.at(-1)?.trim() ?? 'no output';
}
