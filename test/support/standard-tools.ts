import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ToolResponse {
  /** The exit status; 0 is success. */
  code: number;
  out: string;
  err: string;
}

/** Arguments in order; they may be grouped. */
type Arguments = readonly (string | readonly string[])[];

/** `openssl` and `curl` in a temporary folder: clients that share no code with the project. */
export interface StandardTools {
  openssl(...args: Arguments): Promise<ToolResponse>;
  /** Runs curl silently; prints the body, then the status on a separate line. */
  curl(...args: Arguments): Promise<ToolResponse & { status: number; body: string }>;
  write(name: string, content: string | Uint8Array): string;
  read(name: string): string;
  remove(): void;
}

export function startStandardTools(): StandardTools {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-tools-'));
  const run = (program: string, args: readonly string[]) =>
    new Promise<ToolResponse>((resolve) => {
      execFile(program, [...args], { cwd: folder, encoding: 'utf8' }, (error, out, err) => {
        const code = error === null ? 0 : Number(error.code ?? 1);
        resolve({ code, out, err });
      });
    });
  return {
    openssl: (...args) => run('openssl', args.flat()),
    curl: async (...args) => {
      const written = ['--write-out', String.raw`\n%{http_code}`];
      const result = await run('curl', ['--silent', '--show-error', ...written, ...args.flat()]);
      const end = result.out.lastIndexOf('\n');
      const status = Number(result.out.slice(end + 1));
      return { ...result, status, body: result.out.slice(0, end) };
    },
    write: (name, content) => {
      writeFileSync(join(folder, name), content);
      return name;
    },
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
