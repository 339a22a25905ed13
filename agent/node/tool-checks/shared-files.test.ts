import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Recording } from '#agent/core/coding-agents/recording.ts';
import { openLedgers } from '../coding-agents/ledger.ts';
import {
  createRecordingWriter,
  undoCodingAgentSettings,
} from '../coding-agents/manage-coding-agents.ts';
import { createHookWriter, undoToolHooks } from './manage-tool-hooks.ts';

const recording: Recording = {
  level: 'metadata',
  endpoint: 'https://g.example/otel',
  key: 'svc_sd_1',
  relay: 'http://127.0.0.1:9878/gatehouse-agent',
  socket: '/run/agent/tools.sock',
};
const hooks = { socket: '/run/agent/tools.sock', failMode: 'open' } as const;
const nothing = { problems: [], restored: [] };

let dir: string;
let root: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gatehouse-shared-'));
  root = join(dir, 'root');
  mkdirSync(join(root, 'etc'), { recursive: true });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const open = () => openLedgers((entry) => join(dir, entry));
function start() {
  const ledgers = open();
  const writers = {
    recording: createRecordingWriter(ledgers, root),
    checks: createHookWriter(ledgers, root),
  };
  const on = {
    recording: (level: Recording['level'] = 'metadata') =>
      writers.recording.apply({ ...recording, level }),
    checks: (failMode: 'open' | 'closed' = 'open') => writers.checks.apply({ ...hooks, failMode }),
  };
  return { on, off: (purpose: Purpose) => writers[purpose].apply(null) };
}
type Purpose = 'recording' | 'checks';

const inRoot = (path: string): string => join(root, path);
const put = (path: string, text: string): void => {
  mkdirSync(dirname(inRoot(path)), { recursive: true });
  writeFileSync(inRoot(path), text);
};
const textOf = (path: string): string => readFileSync(inRoot(path), 'utf8');

/** A list in one line and a comma at the end: an edit changes their layout. */
const ofAdministrator: Readonly<Record<string, string>> = {
  '/etc/cursor/hooks.json': `{ // Ours.
  "hooks": { "preToolUse": [ {"command":"/opt/check"}, ],
     "stop":[{"command":"/opt/stop"}] } }`,
  '/etc/gemini-cli/settings.json': `{"hooks": {"BeforeTool":[{"hooks":[]} ]}, /* Ours. */ "a":1}`,
  '/etc/qwen-code/settings.json': '\n{  }\n\n',
  '/etc/opencode/opencode.json': `{"plugin": [ "a",
    "b" ]}`,
};
const shared = Object.keys(ofAdministrator);

const orders: [Purpose, Purpose][] = [
  ['recording', 'checks'],
  ['checks', 'recording'],
];
const cases = orders.flatMap((on) => orders.map((off) => ({ on, off })));

describe.each(cases)('files of both purposes, switched on: $on, off: $off', ({ on, off }) => {
  const switchOnAndOff = (): void => {
    const agent = start();
    for (const purpose of on) expect(agent.on[purpose]()).toEqual(nothing);
    for (const purpose of on) expect(agent.on[purpose]()).toEqual(nothing);
    expect(agent.on.recording('tools')).toEqual(nothing);
    expect(agent.on.checks('closed')).toEqual(nothing);
    // Another process continues.
    const next = start();
    expect(next.on.recording('tools')).toEqual(nothing);
    expect(next.on.checks('closed')).toEqual(nothing);
    for (const path of shared) expect(textOf(path)).toContain('gatehouse');
    for (const purpose of off) expect(next.off(purpose)).toEqual(nothing);
  };

  test('get their earlier content back, byte for byte', () => {
    for (const [path, text] of Object.entries(ofAdministrator)) put(path, text);
    switchOnAndOff();
    for (const [path, text] of Object.entries(ofAdministrator)) expect(textOf(path)).toBe(text);
    expect(open().recording.read().files).toEqual([]);
    expect(open().toolChecks.read().files).toEqual([]);
  });

  test('are removed with their folders, if there were none', () => {
    switchOnAndOff();
    expect(readdirSync(inRoot('/etc'))).toEqual([]);
  });
});

describe('after both purposes are switched on', () => {
  const path = '/etc/gemini-cli/settings.json';
  const original = ofAdministrator[path] as string;

  test.each(orders)(
    '%s is switched on again, and only the last restores the file',
    (one, other) => {
      put(path, original);
      const agent = start();
      agent.on[one]();
      agent.on[other]();
      agent.off(one);
      expect(agent.on[other]()).toEqual(nothing);
      expect(textOf(path)).toContain('gatehouse');
      agent.on[one]();
      agent.off(other);
      expect(agent.on[one]()).toEqual(nothing);
      agent.off(one);
      expect(textOf(path)).toBe(original);
    },
  );

  test('uninstall restores the files', () => {
    put(path, original);
    const agent = start();
    agent.on.recording();
    agent.on.checks();
    undoToolHooks(open(), root);
    undoCodingAgentSettings(open(), root);
    expect(textOf(path)).toBe(original);
    expect(readdirSync(inRoot('/etc'))).toEqual(['gemini-cli']);
  });

  test.each(orders)('a change of others is kept, if %s is the first to see it', (one, other) => {
    put(path, original);
    const agent = start();
    agent.on.recording();
    agent.on.checks();
    put(path, textOf(path).replace(/"a": ?1/, '"a": 2'));
    for (const purpose of [one, other, one]) expect(agent.on[purpose]()).toEqual(nothing);
    agent.off(one);
    agent.off(other);
    expect(textOf(path)).toContain('"a": 2');
    expect(textOf(path)).not.toContain('gatehouse');
  });

  test.each(orders)(
    "an administrator's own switch of hooks is kept, if %s ends first",
    (one, other) => {
      put(path, '{"hooksConfig": {"enabled": true}, "a": 1}');
      const agent = start();
      agent.on.recording();
      agent.on.checks();
      put(path, textOf(path).replace(/"a": ?1/, '"a": 2'));
      for (const purpose of [one, other]) agent.on[purpose]();
      put(path, textOf(path).replace(/"a": ?2/, '"a": 3'));
      agent.off(one);
      agent.off(other);
      expect(JSON.parse(textOf(path))).toEqual({ hooksConfig: { enabled: true }, a: 3 });
    },
  );

  test.each(orders)('a removed file is restored for both, by %s first', (one, other) => {
    const agent = start();
    agent.on.recording();
    agent.on.checks();
    rmSync(inRoot('/etc/gemini-cli'), { recursive: true });
    const line = `${path}: was changed by another program and has been restored`;
    for (const purpose of [one, other]) expect(agent.on[purpose]().restored).toEqual([line]);
    for (const purpose of [one, other]) expect(agent.on[purpose]()).toEqual(nothing);
    agent.off(one);
    agent.off(other);
    expect(existsSync(inRoot('/etc/gemini-cli'))).toBe(false);
  });
});
