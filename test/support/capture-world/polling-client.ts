import { request } from 'node:https';

/*
 * A program that sends requests to one host, each over a new connection, and prints a line of JSON
 * after each.
 */

const EVERY_MS = 50;

const [url = ''] = process.argv.slice(2);

function sendRequest(): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { agent: false }, (response) => {
      response.resume().on('error', reject);
      response.on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end();
  });
}

async function report(): Promise<void> {
  const startedAt = Date.now();
  const result = await sendRequest().then(
    (status) => ({ status }),
    (error: unknown) => ({ error: String(error) }),
  );
  process.stdout.write(`${JSON.stringify({ startedAt, endedAt: Date.now(), ...result })}\n`);
}

setInterval(() => void report(), EVERY_MS);
