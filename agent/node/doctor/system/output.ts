import { execFile } from 'node:child_process';

/** What a program prints; null where it is missing, fails or takes more than five seconds. */
export const outputOf = (program: string, args: readonly string[]): Promise<string | null> =>
  new Promise((resolve) => {
    execFile(program, [...args], { timeout: 5000 }, (error, stdout) =>
      resolve(error ? null : stdout),
    );
  });
