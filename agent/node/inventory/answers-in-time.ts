import { spawn } from 'node:child_process';

/**
 * Does the file system of a folder respond? A child process checks, because a process that waits for
 * an unreachable file server blocks for ever and cannot even be killed. Never rejects.
 */
export function answersInTime(
  dir: string,
  withinMs = 5000,
  [program = '/bin/ls', ...options]: readonly string[] = ['/bin/ls', '-d'],
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, [...options, `${dir}/.`], { stdio: 'ignore' });
    child.unref();
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      resolve(false);
    }, withinMs);
    const done = (isThere: boolean): void => {
      clearTimeout(timer);
      resolve(isThere);
    };
    child.on('exit', (code) => done(code !== null));
    child.on('error', () => done(false));
  });
}
