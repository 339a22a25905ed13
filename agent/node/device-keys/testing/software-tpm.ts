import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { PATIENCE_MS } from '#test/support/time-limits.ts';
import {
  connectToTpm,
  createMessageReader,
  openTpmConnection,
  type TpmConnection,
} from './tpm-connection.ts';

const bridge = join(import.meta.dirname, 'tpm-bridge.mjs');

/** A TPM 2.0 in software (swtpm), which tpm2-tools reach over a Unix socket. */
export interface SoftwareTpm extends AsyncDisposable {
  /** The TCTI for `AGENT_TPM`. */
  tcti: string;
  /** The number of commands so far. */
  commands: () => number;
  /** While it is busy, commands wait for their response. */
  setBusy: (isBusy: boolean) => void;
  stop: () => Promise<void>;
}

/**
 * Starts a TPM with seeds of its own. Like the kernel's `/dev/tpmrm0`, it removes the objects of a
 * client when the client disconnects. Clients connect with a program, because with
 * the TCTI of swtpm they open a new connection for each command.
 */
export async function startSoftwareTpm(): Promise<SoftwareTpm> {
  const folder = mkdtempSync(join(tmpdir(), 'swtpm-'));
  const path = join(folder, 'tpm.sock');
  const state = ['--tpmstate', `dir=${folder}`];
  const server = ['--server', `type=unixio,path=${path}`];
  const args = ['socket', '--tpm2', ...state, ...server, '--flags', 'not-need-init,startup-clear'];
  const child = spawn('swtpm', args, { stdio: 'ignore' });
  const tpm = openTpmConnection(await vi.waitFor(() => connectToTpm(path), PATIENCE_MS));
  const gate = createGate();
  let commands = 0;
  const send = async (command: Buffer): Promise<Buffer> => {
    commands += 1;
    await gate.opened();
    return tpm.send(command);
  };
  const clients = createServer(createCommandServer({ ...tpm, send }));
  const clientPath = join(folder, 'clients.sock');
  await once(clients.listen(clientPath), 'listening');
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    clients.close();
    const exited = once(child, 'exit');
    tpm.close();
    child.kill('SIGKILL');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    tcti: `cmd:exec '${process.execPath}' '${bridge}' '${clientPath}'`,
    commands: () => commands,
    setBusy: gate.setClosed,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function createGate() {
  let opened = Promise.resolve();
  let open = (): void => {};
  return {
    opened: () => opened,
    setClosed: (isClosed: boolean): void => {
      open();
      if (isClosed) opened = new Promise((resolve) => (open = resolve));
    },
  };
}

/** Serves one client after the other. The objects of a client are removed when it leaves. */
function createCommandServer({ send, flush }: TpmConnection): (client: Socket) => void {
  let previous: Promise<void> = Promise.resolve();
  return (client) => {
    const turn = previous;
    const read = createMessageReader();
    client.on('error', () => undefined);
    client.on('data', (chunk) => {
      for (const command of read(chunk))
        void turn.then(() => send(command)).then((response) => void client.write(response));
    });
    const left = new Promise<void>((resolve) => client.on('close', () => resolve()));
    previous = Promise.all([turn, left]).then(flush);
  };
}
