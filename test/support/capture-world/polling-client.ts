import { request } from 'node:https';

/*
 * Asks one host again and again, each time over a new connection, and prints for each attempt a line
 * of JSON once it is over.
 */

const EVERY_MS = 50;

const [url = ''] = process.argv.slice(2);

function attempt(): Promise<number> {
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
  const result = await attempt().then(
    (status) => ({ status }),
    (error: unknown) => ({ error: String(error) }),
  );
  process.stdout.write(`${JSON.stringify({ startedAt, endedAt: Date.now(), ...result })}\n`);
}

setInterval(() => void report(), EVERY_MS);
