import { execFile } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hosts } from '../support/capture-world/clients.ts';

const MAX_REFUSALS = 2;

/** Runs a program that is new to the agent and does not trust the root of the tenant. */
export async function runUntrustingProgram(folder: string, name: string): Promise<void> {
  const program = join(folder, `curl-${name}`);
  copyFileSync('/usr/bin/curl', program);
  try {
    let refusals = 0;
    while (!(await works(program))) {
      refusals += 1;
      if (refusals > MAX_REFUSALS) throw new Error(`the program failed ${refusals} times`);
    }
  } finally {
    rmSync(program);
  }
}

const works = (program: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const env = { SSL_CERT_FILE: process.env.WORLD };
    execFile(program, ['--silent', `https://${hosts.openai}/v1/models`], { env }, (error) => {
      // Exit codes 35 and 60: the TLS handshake failed, as expected.
      if (error === null || error.code === 35 || error.code === 60) resolve(error === null);
      else reject(new Error(`curl ended with ${error.code}`));
    });
  });
