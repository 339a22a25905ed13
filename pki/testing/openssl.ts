import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface OpenSsl {
  /**
   * Runs `openssl` with a command split at blanks, followed by literal arguments. Returns its whole
   * output.
   */
  run: (command: string, ...args: string[]) => Promise<{ ok: boolean; output: string }>;
  write: (file: string, content: string) => Promise<void>;
  read: (file: string) => Promise<string>;
  [Symbol.asyncDispose]: () => Promise<void>;
}

/** Creates a runner for the openssl command with its own working folder. */
export async function createOpenSsl(): Promise<OpenSsl> {
  const cwd = await mkdtemp(join(tmpdir(), 'pki-'));
  return {
    run: (command, ...args) =>
      new Promise((resolve) => {
        execFile('openssl', [...command.split(' '), ...args], { cwd }, (error, stdout, stderr) => {
          resolve({ ok: error === null, output: stdout + stderr });
        });
      }),
    write: (file, content) => writeFile(join(cwd, file), content),
    read: (file) => readFile(join(cwd, file), 'utf8'),
    [Symbol.asyncDispose]: () => rm(cwd, { recursive: true, force: true }),
  };
}

/** Issues a certificate with openssl, signed by the key and certificate in `issuer`. */
export async function signWithOpenSsl(
  openssl: OpenSsl,
  order: { issuer: string; name: string; extensions: string },
): Promise<void> {
  const { issuer, name, extensions } = order;
  await openssl.write(`${name}.cnf`, extensions);
  const commands = [
    `ecparam -name prime256v1 -genkey -noout -out ${name}.key`,
    `req -new -key ${name}.key -subj /CN=${name} -out ${name}.csr`,
    `x509 -req -in ${name}.csr -CA ${issuer}.pem -CAkey ${issuer}.key -CAcreateserial ` +
      `-days 5 -extfile ${name}.cnf -out ${name}.pem`,
  ];
  for (const command of commands) {
    const { ok, output } = await openssl.run(command);
    if (!ok) throw new Error(`openssl ${command}: ${output}`);
  }
}
