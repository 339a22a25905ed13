import { execFile, type ExecFileException } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { InstallerError } from '#installer/installer-error.ts';
import type { Config } from '../config.ts';

const command = fileURLToPath(import.meta.resolve('#installer/command.ts'));
const MAX_OUTPUT = 256 * 1024 * 1024;

/**
 * Runs the installer command in a child process, which ends with this one. Packing and reading
 * hundreds of megabytes must not block recording. Returns its standard output.
 *
 * @param secrets additional environment variables; arguments would be visible to other users
 * @throws InstallerError with the last line of its standard error
 */
export function runInstaller(
  { app }: Pick<Config, 'app'>,
  args: string[],
  secrets: Record<string, string> = {},
): Promise<string> {
  const team = app.teamId === null ? {} : { APPLE_TEAM_ID: app.teamId };
  const product = { APP_NAME: app.name, APP_BUNDLE_ID: app.bundleId, ...team };
  const options = { env: { ...product, ...secrets }, maxBuffer: MAX_OUTPUT };
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [command, ...args],
      options,
      (error, stdout, stderr) => {
        process.off('exit', end);
        if (error) reject(new InstallerError(reasonOf(error, stderr), { cause: error }));
        else resolve(stdout);
      },
    );
    const end = () => void child.kill('SIGKILL');
    process.prependListener('exit', end);
  });
}

/**
 * Returns the reason of a failure in one line. A process that was killed by a signal has not
 * printed one.
 */
function reasonOf({ signal, code, message }: ExecFileException, stderr: string): string {
  if (signal) return `the installer command was killed by ${signal}`;
  const [line] = stderr.trim().split('\n').slice(-1);
  if (line) return line;
  if (typeof code === 'number')
    return `the installer command exited with ${code} without an error message`;
  return `the installer command failed: ${message.replace(/\s+/g, ' ')}`;
}
