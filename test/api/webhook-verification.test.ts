/** Checks that the programs in docs/notifications.md accept what the control plane really sends. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane } from '../support/control-plane.ts';
import { root } from '../support/processes.ts';
import { startHttpReceiver } from '../support/receivers.ts';

const execute = promisify(execFile);
const page = readFileSync(join(root, 'docs/notifications.md'), 'utf8');
const snippet = (language: string): string =>
  new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page)?.[1] ?? '';

interface Sent {
  headers: Record<string, string>;
  body: string;
  secret: string;
}

let folder: string;
let sent: Sent;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-webhook-'));
  const receiver = await startHttpReceiver();
  const service = await startTestControlPlane('sqlite', { NOTIFY_PRIVATE_NETWORKS: '127.0.0.1' });
  const { notifications } = service.byKey;
  const body = { kind: 'webhook', name: 'verified', url: receiver.url } as const;
  const { id } = await notifications.createChannel({ body });
  const { secret } = await notifications.rotateChannelSecret({ params: { id } });
  await notifications.testChannel({ params: { id } });
  const [request] = await receiver.waitForRequests(1);
  sent = { headers: request!.headers as Record<string, string>, body: request!.body, secret };
  await service.stop();
  await receiver.stop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const forgeries = (): [string, Sent, boolean][] => [
  ['as it was sent', sent, true],
  ['with another body', { ...sent, body: `${sent.body} ` }, false],
  ['with another secret', { ...sent, secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }, false],
  ['with another id', { ...sent, headers: { ...sent.headers, 'webhook-id': 'msg_1' } }, false],
  [
    'with an old timestamp',
    { ...sent, headers: { ...sent.headers, 'webhook-timestamp': '1700000000' } },
    false,
  ],
  ['without headers', { ...sent, headers: {} }, false],
];

/** Returns for each request whether the program accepts it. */
async function verdicts(program: string, args: string[], name: string, source: string) {
  writeFileSync(join(folder, name), source);
  writeFileSync(join(folder, 'cases.json'), JSON.stringify(forgeries().map(([, one]) => one)));
  const { stdout } = await execute(program, [...args, join(folder, name)], { cwd: folder });
  return JSON.parse(stdout) as boolean[];
}

test('the program in TypeScript', async () => {
  const source = `${snippet('typescript')}
import { readFileSync } from 'node:fs';
const cases = JSON.parse(readFileSync('cases.json', 'utf8'));
console.log(JSON.stringify(cases.map((one) => isAuthentic(one.headers, one.body, one.secret))));
`;
  expect(await verdicts(process.execPath, ['--no-warnings'], 'verify.mts', source)).toEqual(
    forgeries().map(([, , expected]) => expected),
  );
});

describe('with Python', { tags: ['python3'] }, () => {
  test('the program in Python', async () => {
    const source = `${snippet('python')}
import json
cases = json.load(open("cases.json"))
print(json.dumps([is_authentic(one["headers"], one["body"].encode(), one["secret"]) for one in cases]))
`;
    expect(await verdicts('python3', [], 'verify.py', source)).toEqual(
      forgeries().map(([, , expected]) => expected),
    );
  });
});
