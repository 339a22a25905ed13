/**
 * Simulates devices in a separate process, controlled by messages. Each device has its own identity
 * and TLS WebSocket, and acknowledges a configuration at once, as an agent does. All devices share
 * their keys, because generating keys is not measured.
 */
import { Agent } from 'node:https';
import { request } from 'node:https';
import { WebSocket } from 'ws';
import { type ChannelPush, DEVICE_CHANNEL_PATH } from '#contract/device-protocol.ts';
import { createCsr } from '#pki/csr.ts';
import { generateKeyPair } from '#pki/keys.ts';

/** A message from the bench. */
export type FleetOrder =
  | { do: 'connect'; url: string; root: string; keys: string[]; devices: number }
  | { do: 'watch'; version: number };

/** A message to the bench. Times are in milliseconds since 1970. */
export type FleetReport =
  | { done: 'connect' }
  | { done: 'watch'; arrivals: number[]; pushes: number };

type Connect = Extract<FleetOrder, { do: 'connect' }>;

const ENROLLING_AT_ONCE = 8;
const CONNECTING_AT_ONCE = 32;

let pushes = 0;
const newest = new Map<WebSocket, number>();
let watched: { version: number; arrivals: number[] } | undefined;

const report = (message: FleetReport): void => void process.send?.(message);
const now = (): number => performance.timeOrigin + performance.now();

process.on('message', (order: FleetOrder) => {
  if (order.do === 'connect') void connect(order);
  else watch(order.version);
});

async function connect({ url, root, keys, devices }: Connect): Promise<void> {
  const pair = await generateKeyPair();
  const requests = {
    identity_csr: await createCsr({ ...pair, commonName: 'bench' }),
    ca_csr: await createCsr({ ...(await generateKeyPair()), commonName: 'capture' }),
  };
  const numbers = Array.from({ length: devices }, (_, i) => i);
  const agent = new Agent({ ca: root, keepAlive: true, maxSockets: ENROLLING_AT_ONCE });
  const identities = await atOnce(ENROLLING_AT_ONCE, numbers, (i) =>
    enroll(agent, url, keys[i % keys.length] as string, `bench-hardware-${i}`, requests),
  );
  agent.destroy();
  await atOnce(CONNECTING_AT_ONCE, identities, (cert) =>
    open(url.replace('https', 'wss') + DEVICE_CHANNEL_PATH, root, cert, pair.privateKeyPem),
  );
  report({ done: 'connect' });
}

async function enroll(
  agent: Agent,
  url: string,
  key: string,
  hardware_id: string,
  requests: { identity_csr: string; ca_csr: string },
): Promise<string> {
  const body = JSON.stringify({
    hardware_id,
    hostname: hardware_id,
    os: 'darwin',
    os_version: '26.1',
    agent_version: '0.1.0',
    user: 'bench',
    user_group: null,
    ...requests,
  });
  for (;;) {
    const { status, text, retryAfter } = await post(agent, url, key, body);
    if (status === 201)
      return (JSON.parse(text) as { identity_certificate: string }).identity_certificate;
    if (status !== 429) throw new Error(`enrollment was answered with ${status} ${text}`);
    await new Promise((resolve) => setTimeout(resolve, retryAfter * 1000));
  }
}

const post = (agent: Agent, url: string, key: string, body: string) =>
  new Promise<{ status: number; text: string; retryAfter: number }>((resolve, reject) => {
    const sent = request(`${url}/api/svc/v1/endpoint/enroll/`, {
      method: 'POST',
      agent,
      headers: { 'X-Svc-Key': key, 'Content-Type': 'application/json' },
    });
    sent.on('error', reject);
    sent.on('response', (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () => {
        const retryAfter = Number(answer.headers['retry-after'] ?? 1);
        resolve({ status: answer.statusCode ?? 0, text, retryAfter });
      });
    });
    sent.end(body);
  });

/** Opens a channel. Resolves after the first configuration. */
const open = (url: string, ca: string, cert: string, key: string) =>
  new Promise<void>((resolve, reject) => {
    const socket = new WebSocket(url, { ca, cert, key });
    socket.on('error', reject);
    socket.on('close', (code) => reject(new Error(`the channel was closed: ${code}`)));
    socket.on('message', (data: Buffer) => {
      const { version } = (JSON.parse(data.toString()) as ChannelPush).config;
      pushes += 1;
      newest.set(socket, version);
      socket.send(JSON.stringify({ type: 'applied', version }));
      arrived(version);
      resolve();
    });
  });

/** Waits for a version. Devices that already have it count as arrived now. */
function watch(version: number): void {
  pushes = 0;
  watched = { version, arrivals: [] };
  for (const known of newest.values()) arrived(known);
}

function arrived(version: number): void {
  if (!watched || version < watched.version) return;
  watched.arrivals.push(now());
  if (watched.arrivals.length < newest.size) return;
  report({ done: 'watch', arrivals: watched.arrivals, pushes });
  watched = undefined;
}

async function atOnce<T, R>(
  most: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const place = next++;
      results[place] = await work(items[place] as T);
    }
  };
  await Promise.all(Array.from({ length: most }, worker));
  return results;
}
