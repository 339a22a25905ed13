import { scryptSync } from 'node:crypto';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { HashResponse, HashRequest } from './hashing-thread.ts';

// OWASP's minimum recommended scrypt cost: N = 2^17, r = 8, p = 1; 128 MiB each.
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };

function answer({ password, salt, length }: HashRequest): HashResponse {
  try {
    return { hash: scryptSync(password, salt, length, COST) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

// With few cores, requests take precedence over hashing. Linux sets the priority for this thread
// only; other systems for the whole process.
if (process.platform === 'linux') setPriority(10);

const port = parentPort;
port?.on('message', (question: HashRequest) => port.postMessage(answer(question)));
