import type { KeyObject, X509Certificate } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Pkcs12Order {
  key?: KeyObject;
  /** The certificates, the key's own first. */
  certificates: readonly X509Certificate[];
  password: string;
  /**
   * Uses RC2 and 3DES with a SHA-1 checksum, like Keychain Access, instead of AES-256 and SHA-256.
   */
  legacy?: boolean;
}

/** A temporary folder for a test, and external programs that run in it. */
export interface Workshop {
  path: (name: string) => string;
  write: (name: string, content: string | Uint8Array) => Promise<string>;
  read: (name: string) => Promise<Buffer>;
  /**
   * Runs a program in the folder, with a command split at blanks, followed by literal arguments.
   * Returns its whole output, and whether it exited with 0.
   */
  run: (command: string, ...args: string[]) => Promise<{ ok: boolean; output: string }>;
  /** Creates a file with `openssl pkcs12 -export`; returns its path. */
  writePkcs12: (name: string, order: Pkcs12Order) => Promise<string>;
  [Symbol.asyncDispose]: () => Promise<void>;
}

export async function createWorkshop(): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), 'workshop-'));
  const path = (name: string) => join(folder, name);
  const workshop: Workshop = {
    path,
    write: async (name, content) => {
      await writeFile(path(name), content);
      return path(name);
    },
    read: (name) => readFile(path(name)),
    run: (command, ...args) => execute(folder, [...command.split(' '), ...args]),
    writePkcs12: (name, order) => writePkcs12(workshop, name, order),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
  return workshop;
}

function execute(cwd: string, [program = '', ...args]: string[]) {
  return new Promise<{ ok: boolean; output: string }>((resolve) => {
    execFile(program, args, { cwd }, (error, stdout, stderr) => {
      resolve({ ok: error === null, output: stdout + stderr });
    });
  });
}

const MODERN = '-keypbe AES-256-CBC -certpbe AES-256-CBC -macalg sha256';

async function writePkcs12(workshop: Workshop, name: string, order: Pkcs12Order): Promise<string> {
  const key = order.key?.export({ type: 'pkcs8', format: 'pem' }) ?? '';
  await workshop.write(`${name}.pem`, key + toPem(...order.certificates));
  await workshop.write(`${name}.password`, `${order.password}\n`);
  const { ok, output } = await workshop.run(
    `openssl pkcs12 -export ${order.legacy ? '-legacy' : MODERN} ${order.key ? '' : '-nokeys '}` +
      `-in ${name}.pem -out ${name} -passout file:${name}.password`,
  );
  if (!ok) throw new Error(`openssl pkcs12: ${output}`);
  return workshop.path(name);
}

/** Formats certificates as one PEM text. */
export function toPem(...certificates: readonly X509Certificate[]): string {
  return certificates.map((certificate) => certificate.toString()).join('');
}
