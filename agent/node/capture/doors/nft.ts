import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
import { oneLine } from '#agent/core/one-line.ts';

/** The program `nft`, which reads commands as long as this process lives. */
export interface Nft {
  /** Runs one line of commands, as one transaction. Answers what is wrong; nothing if it is done. */
  run: (line: string) => Promise<string | undefined>;
  /** Resolves when the program is gone, and with it the tables that it owns. */
  ended: Promise<void>;
  end: () => Promise<void>;
}

/** nft answers within milliseconds, unless it is not what it should be. */
const patienceMs = 5000;

/** Where administrators' programs are, which a service or a plain user may not have in its PATH. */
export const nftPath = '/usr/sbin:/sbin:/usr/local/sbin:/usr/bin:/bin:/run/current-system/sw/bin';
// HOME: an interactive nft writes its history there.
const env = { PATH: nftPath, LC_ALL: 'C', HOME: '/dev/null', TERM: 'dumb' };

// A service manager may send its signal to all processes of the agent: this one goes after it.
const ignoreSignals = "trap '' TERM INT HUP";
const shellNotFound = 127;

/**
 * `lastWords` are run when this process ends without `end`; nft itself ends a second later. With a
 * table the kernel forgets how to redirect, and the last segments of connections that break off
 * because this process ends would not reach their clients, which would wait for ever.
 */
export function startNft(lastWords: string, command = 'nft'): Nft {
  const child: ChildProcess = spawn('sh', ['-c', `${ignoreSignals}; exec "$0" -i`, command], {
    env,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const reason = endOf(child);
  const { stdin, stderr } = child;
  // There are no descriptors left for pipes.
  if (!stdin || !stderr) return failed(reason);
  const executor = spawnExecutor(stdin, lastWords);
  let unread = '';
  let failure: string | undefined;
  let lines = 0;
  let onOutput = (): void => undefined;
  stderr.setEncoding('utf8').on('data', (text: string) => {
    unread += text;
    onOutput();
  });
  stdin.on('error', () => undefined); // it is gone, which `ended` says
  const ended = reason.then((text) => {
    executor.kill('SIGKILL');
    failure = text;
    onOutput();
  });

  /** Resolves with what nft says up to the mark, which it repeats; or with what it said last. */
  const outputUntil = (mark: string): Promise<string> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => finish('Error: it does not answer\n'), patienceMs);
      const finish = (output: string): void => {
        clearTimeout(timer);
        onOutput = () => undefined;
        resolve(output);
      };
      onOutput = () => {
        const end = unread.indexOf(`${mark}\n`);
        if (end < 0 && failure === undefined) return;
        const output = end < 0 ? `${unread}\nError: ${failure}\n` : unread.slice(0, end);
        unread = '';
        // What is said of the mark is its own error.
        finish(end < 0 ? output : output.slice(0, output.lastIndexOf('Error: ')));
      };
      onOutput();
    });

  return {
    async run(line) {
      lines += 1;
      // No command, which nft says: by then it is done with what came before.
      const mark = `gatehouse-${lines}`;
      if (failure === undefined) stdin.write(`${line}\n${mark}\n`);
      const [, error] = /Error: (.*)/.exec(await outputUntil(mark)) ?? [];
      return error === undefined ? undefined : oneLine(`nft: ${error}`);
    },
    ended,
    async end() {
      executor.kill('SIGKILL');
      stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

function failed(reason: Promise<string>): Nft {
  const ended = reason.then(() => undefined);
  return { run: async () => oneLine(`nft: ${await reason}`), ended, end: () => ended };
}

/** Holds the input of nft open too, until its own is closed and what is left to say is said. */
function spawnExecutor(input: Writable, lastWords: string): ChildProcess {
  // The line before may have been cut off.
  const script = `${ignoreSignals}; read -r _; printf '\\n%s\\n' "$0" >&3; sleep 1`;
  const executor = spawn('sh', ['-c', script, lastWords], {
    env,
    stdio: ['pipe', 'ignore', 'ignore', input],
  });
  executor.on('error', () => undefined); // without it nft ends at once, which is nearly as good
  return executor;
}

/** Why a process has ended. */
function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on('error', ({ message }) => resolve(message));
    child.on('close', (code) =>
      resolve(code === shellNotFound ? 'not installed (package nftables)' : 'it has ended'),
    );
  });
}
