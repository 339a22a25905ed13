import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
import { oneLine } from '#lib/one-line.ts';
import { SYSTEM_PATH } from '../../system-path.ts';

/** The program `nft`, which reads commands until this process ends. */
export interface Nft {
  /** Runs one line of commands, as one transaction. Returns the error, if any. */
  run: (line: string) => Promise<string | undefined>;
  /** Resolves when the program has exited, and the kernel has removed the tables that it owns. */
  exited: Promise<void>;
  stop: () => Promise<void>;
}

/** The time limit of a command: nft responds within milliseconds, unless it is another program. */
const TIMEOUT_MS = 5000;

// An interactive nft writes its history to HOME.
const nftEnvironment = { PATH: SYSTEM_PATH, LC_ALL: 'C', HOME: '/dev/null', TERM: 'dumb' };

// A service manager may signal all processes of the agent: nft must outlive the agent.
const IGNORE_SIGNALS = "trap '' TERM INT HUP";
const SHELL_NOT_FOUND = 127;

/**
 * `finalCommand` runs when this process ends without `stop`; nft itself ends a second later.
 * Without that delay the kernel would forget the redirection together with the table, and the last
 * segments of connections that break off with this process would not reach their clients, which
 * would wait forever.
 */
export function startNft(finalCommand: string, command = 'nft'): Nft {
  const child: ChildProcess = spawn('sh', ['-c', `${IGNORE_SIGNALS}; exec "$0" -i`, command], {
    env: nftEnvironment,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const reason = exitReason(child);
  const { stdin, stderr } = child;
  // Pipes are missing if the process has no file descriptors left.
  if (!stdin || !stderr) return failedNft(reason);
  const cleanup = spawnCleanup(stdin, finalCommand);
  let unread = '';
  let failure: string | undefined;
  let commandCount = 0;
  let onOutput = (): void => undefined;
  stderr.setEncoding('utf8').on('data', (text: string) => {
    unread += text;
    onOutput();
  });
  stdin.on('error', () => undefined); // `exited` reports the end
  const exited = reason.then((text) => {
    cleanup.kill('SIGKILL');
    failure = text;
    onOutput();
  });

  /** Resolves with the output up to the marker, which nft repeats, or with the last output. */
  const outputUntil = (marker: string): Promise<string> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => finish('Error: it does not answer\n'), TIMEOUT_MS);
      const finish = (result: string): void => {
        clearTimeout(timer);
        onOutput = () => undefined;
        resolve(result);
      };
      onOutput = () => {
        const end = unread.indexOf(`${marker}\n`);
        if (end < 0 && failure === undefined) return;
        const output = end < 0 ? `${unread}\nError: ${failure}\n` : unread.slice(0, end);
        unread = '';
        // The error message about the marker is removed.
        finish(end < 0 ? output : output.slice(0, output.lastIndexOf('Error: ')));
      };
      onOutput();
    });

  return {
    async run(line) {
      commandCount += 1;
      // The marker is an invalid command: its error message shows that all earlier commands are done.
      const marker = `gatehouse-${commandCount}`;
      if (failure === undefined) stdin.write(`${line}\n${marker}\n`);
      const [, error] = /Error: (.*)/.exec(await outputUntil(marker)) ?? [];
      return error === undefined ? undefined : oneLine(`nft: ${error}`);
    },
    exited,
    async stop() {
      cleanup.kill('SIGKILL');
      stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
      await exited;
      clearTimeout(timer);
    },
  };
}

function failedNft(reason: Promise<string>): Nft {
  const exited = reason.then(() => undefined);
  return { run: async () => oneLine(`nft: ${await reason}`), exited, stop: () => exited };
}

/** Keeps nft's input open until its own input closes, and then runs the final command. */
function spawnCleanup(input: Writable, finalCommand: string): ChildProcess {
  // The line before may have been cut off.
  const script = `${IGNORE_SIGNALS}; read -r _; printf '\\n%s\\n' "$0" >&3; sleep 1`;
  const cleanup = spawn('sh', ['-c', script, finalCommand], {
    env: nftEnvironment,
    stdio: ['pipe', 'ignore', 'ignore', input],
  });
  cleanup.on('error', () => undefined); // without the cleanup process nft ends at once, which is acceptable
  return cleanup;
}

/** Resolves to the reason why a process has ended. */
function exitReason(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on('error', ({ message }) => resolve(message));
    child.on('close', (code) =>
      resolve(
        code === SHELL_NOT_FOUND ? 'not installed (package nftables)' : 'exited unexpectedly',
      ),
    );
  });
}
