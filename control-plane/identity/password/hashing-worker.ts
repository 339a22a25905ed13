import { scryptSync } from 'node:crypto';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { HashResponse, HashRequest } from './hashing-thread.ts';

function answer({ password, salt, length, cost }: HashRequest): HashResponse {
  try {
    return { hash: scryptSync(password, salt, length, cost) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

// With few cores, requests take precedence over hashing. Linux sets the priority for this thread
// only; other systems set it for the whole process.
if (process.platform === 'linux') setPriority(10);

const port = parentPort;
port?.on('message', (question: HashRequest) => port.postMessage(answer(question)));
