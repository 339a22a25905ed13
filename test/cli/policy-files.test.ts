import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connect } from '#control-plane/policies/files/control-plane.ts';
import { API_KEY, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { freePort, root } from '../support/processes.ts';

let service: TestControlPlane;
let folder: string;
beforeAll(async () => {
  service = await startTestControlPlane('sqlite');
});
afterAll(() => service.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-policies-'));
  mkdirSync(join(folder, 'policies'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  const all = await connect({ url: service.urls.public, apiKey: API_KEY }).list();
  await Promise.all(
    all.map(({ id }) => service.byKey.policies.deletePolicy({ params: { id }, query: {} })),
  );
});

const write = (name: string, text: string): void =>
  writeFileSync(join(folder, 'policies', name), text);
const read = (name: string): string => readFileSync(join(folder, 'policies', name), 'utf8');

async function policies(args: string[], env: Record<string, string> = {}) {
  const command = join(root, 'control-plane/policies/command.ts');
  const child = spawn(process.execPath, [command, ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      SVC_API_URL: service.urls.public,
      SVC_API_KEY: API_KEY,
      ...env,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return [code, output.split('\n').slice(0, -1)] as const;
}

const stored = async () => {
  const { results } = await service.byKey.policies.listPolicies({ query: { limit: 100 } });
  return results.map((policy) => {
    const { id: _id, created_at: _created, updated_at: _updated, ...kept } = policy;
    const { hits: _hits, last_triggered_at: _last, ...rest } = kept;
    return rest;
  });
};

const PACE = `# How fast agents may go.
name: Steady pace
category: rate-limit
rules:
  max_per_minute: 30
scope:
  agents: [support, 'mcp:files:*']
`;
const TIMEOUT = JSON.stringify({ name: 'Timeout', category: 'operations' }, null, '\t');
const pace = {
  name: 'Steady pace',
  category: 'rate-limit',
  rules: { max_per_minute: 30 },
  scope: { agents: ['support', 'mcp:files:*'] },
};
const create = (body: Parameters<typeof service.byKey.policies.createPolicy>[0]['body']) =>
  service.byKey.policies.createPolicy({ body });
const everybody = { agents: [], workflows: [], user_groups: [] };

// Each test starts several processes.
describe('policy files', () => {
  test('are planned and applied, after which nothing is left to do', async () => {
    write('pace.yaml', PACE);
    write('timeout.json', TIMEOUT);
    write('readme.md', 'not a policy');
    expect(await policies(['plan'])).toEqual([
      2,
      [
        '+ create "Steady pace" (rate-limit) from policies/pace.yaml:2',
        '+ create "Timeout" (operations) from policies/timeout.json:1',
        '2 to create, 0 to change, 0 in no file, 0 unchanged',
      ],
    ]);
    expect(await stored()).toEqual([]);
    expect(await policies(['apply', 'policies', '--note', 'release 7'])).toEqual([
      0,
      ['created "Steady pace" (rate-limit)', 'created "Timeout" (operations)'],
    ]);
    const usual = { severity: 'medium', mode: 'enforce' };
    const common = { description: '', priority: 100, enabled: true, version: 1, ...usual };
    expect(await stored()).toEqual([
      {
        ...common,
        name: 'Steady pace',
        category: 'rate-limit',
        rules: { max_per_minute: 30, max_concurrent: 5, burst_window_seconds: 10 },
        scope: { ...everybody, agents: ['support', 'mcp:files:*'] },
      },
      {
        ...common,
        name: 'Timeout',
        category: 'operations',
        rules: { timeout_seconds: 300 },
        scope: everybody,
      },
    ]);
    expect(await policies(['apply'])).toEqual([0, ['nothing to do']]);
    const { results } = await service.byKey.policies.listPolicies({ query: {} });
    const versions = await service.byKey.policies.listPolicyVersions({
      params: { id: results[0]?.id ?? '' },
      query: {},
    });
    expect(versions.results).toMatchObject([{ version: 1, change: 'create', note: 'release 7' }]);
  });

  test('show what would change field by field, and policies that are in no file', async () => {
    await create(pace);
    await create({ name: 'Timeout', category: 'operations' });
    write(
      'all.yml',
      `${PACE.replace('30', '20').replace('rules:', 'rules:\n  burst_limit: 3')}enabled: false\n`,
    );
    expect(await policies(['plan'])).toEqual([
      2,
      [
        '~ change "Steady pace" (rate-limit) as in policies/all.yml:2',
        '    enabled: true -> false',
        '    rules.max_per_minute: 30 -> 20',
        '    rules.burst_limit: unset -> 3',
        '? in no file "Timeout" (operations)',
        '0 to create, 1 to change, 1 in no file, 0 unchanged',
      ],
    ]);
    expect((await policies(['plan', '--prune']))[1].slice(-2)).toEqual([
      '- delete "Timeout" (operations)',
      '0 to create, 1 to change, 1 to delete, 0 unchanged',
    ]);
    expect(await policies(['apply'])).toEqual([0, ['changed "Steady pace" (rate-limit)']]);
    expect((await stored()).map(({ name, version }) => [name, version])).toEqual([
      ['Steady pace', 2],
      ['Timeout', 1],
    ]);
    // Policies that are in no file do not count as differences.
    expect((await policies(['plan']))[0]).toBe(0);
    expect(await policies(['apply', '--prune'])).toEqual([0, ['deleted "Timeout" (operations)']]);
    expect((await stored()).map(({ name }) => name)).toEqual(['Steady pace']);
  });

  test('are exported from the control plane and then match it', async () => {
    for (const [name, priority] of [
      ['Été: “late”', 1],
      ['été late', 2],
      ['数据', 3],
      ['yes', 4],
    ] as const)
      await service.byKey.policies.createPolicy({
        body: {
          name,
          category: 'rate-limit',
          rules: { max_per_day: 9 },
          priority,
          description: '# x',
        },
      });
    const [code, lines] = await policies(['export', 'out']);
    expect([code, lines.slice(0, 2)]).toEqual([
      0,
      ['wrote out/t-late.yaml', 'wrote out/t-late-2.yaml'],
    ]);
    expect(readdirSync(join(folder, 'out'))).toHaveLength(4);
    expect(await policies(['plan', 'out', '--prune'])).toEqual([
      0,
      ['0 to create, 0 to change, 0 to delete, 4 unchanged'],
    ]);
    expect(await policies(['export', 'out'])).toEqual([0, ['nothing to do']]);
  });

  test('that differ are overwritten only with --force', async () => {
    await create(pace);
    for (const name of ['A', 'B']) await create({ name, category: 'operations' });
    write('two.json', JSON.stringify(['A', 'B'].map((name) => ({ name, category: 'operations' }))));
    write('pace.yaml', PACE.replace('30', '20'));
    expect(await policies(['export'])).toEqual([
      1,
      ['policies: policies/pace.yaml:2: "Steady pace" differs; use --force to overwrite the file'],
    ]);
    expect(read('pace.yaml')).toContain('20');
    expect(await policies(['export', '--force'])).toEqual([0, ['wrote policies/pace.yaml']]);
    expect(read('pace.yaml')).toContain('max_per_minute: 30');
    write('two.json', read('two.json').replace('"operations"', '"operations","priority":1'));
    expect(await policies(['export', '--force'])).toEqual([
      1,
      ['policies: policies/two.json:1: "A" differs, and the file contains other policies'],
    ]);
  });

  test('a folder without policies deletes nothing without --force', async () => {
    await create(pace);
    mkdirSync(join(folder, 'policies/team'));
    write('team/pace.yaml', PACE);
    const skipped = 'skipped policies/team/pace.yaml: subfolders of policies are not read';
    const warning =
      'policies: contains no policies: apply --prune would delete every policy, and needs --force';
    expect(await policies(['plan', '--prune'])).toEqual([
      2,
      [
        skipped,
        '- delete "Steady pace" (rate-limit)',
        '0 to create, 0 to change, 1 to delete, 0 unchanged',
        `! ${warning}`,
      ],
    ]);
    expect(await policies(['apply', '--prune'])).toEqual([1, [skipped, `policies: ${warning}`]]);
    expect(await stored()).toHaveLength(1);
    expect(await policies(['apply', '--prune', '--force'])).toEqual([
      0,
      [skipped, 'deleted "Steady pace" (rate-limit)'],
    ]);
  });

  test('the category of a policy cannot be changed', async () => {
    await create(pace);
    write('pace.yaml', 'name: Steady pace\ncategory: operations\n');
    expect(await policies(['plan'])).toEqual([
      1,
      [
        'policies: policies/pace.yaml:1: category: "Steady pace" exists with the category rate-limit, which cannot be changed: use another name',
      ],
    ]);
  });
});

test('a problem in a file is reported in one line', async () => {
  write('pace.yaml', PACE.replace('30', "'30'"));
  expect(await policies(['apply'])).toEqual([
    1,
    [expect.stringMatching(/^policies: policies\/pace\.yaml:5: rules\.max_per_minute: .*number/)],
  ]);
});

test.each<[string, string[], Record<string, string>, RegExp]>([
  ['too much', ['plan', 'a', 'b'], {}, /^usage: /],
  ['a key for a name', ['plan', '--key-env', 'svc_sk_x'], {}, /^policies: --key-env: (?!.*svc_)/],
  ['a folder that is not there', ['plan', 'nowhere'], {}, /^policies: nowhere: cannot be read: /],
  [
    'a wrong key',
    ['plan'],
    { SVC_API_KEY: 'svc_sk_wrong' },
    /^policies: http:\S+: (?!.*svc_sk_wrong)/,
  ],
  ['a wrong option', ['plan', '--all'], {}, /^Unknown option '--all'/],
])('%s is rejected', async (_what, args, env, line) => {
  const [code, [first]] = await policies(args, env);
  expect(code).toBe(1);
  expect(first).toMatch(line);
});

test('a missing control plane and a different server get different errors', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  expect(await policies(['plan', '--url', url])).toEqual([
    1,
    [`policies: ${url}: cannot be reached (ECONNREFUSED)`],
  ]);
  const server = createServer((_request, response) => response.end('<html>')).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const other = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await policies(['plan', '--url', other])).toEqual([
    1,
    [`policies: ${other}: unexpected response: not a control plane`],
  ]);
  server.close();
});

test('more policies than fit on one page are all read', async () => {
  const names = Array.from({ length: 101 }, (_, i) => `P ${i}`);
  await Promise.all(names.map((name) => create({ name, category: 'operations' })));
  const all = await connect({ url: service.urls.public, apiKey: API_KEY }).list();
  expect(all.map(({ document }) => document.name).toSorted()).toEqual(names.toSorted());
});

test('the key can come from another variable and the URL from an argument', async () => {
  const env = { SVC_API_URL: '', SVC_API_KEY: '', POLICY_KEY: API_KEY };
  const args = ['plan', '--url', `${service.urls.public}/`, '--key-env', 'POLICY_KEY'];
  expect(await policies(args, env)).toEqual([
    0,
    ['0 to create, 0 to change, 0 in no file, 0 unchanged'],
  ]);
});
