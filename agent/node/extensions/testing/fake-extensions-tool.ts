import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExtensionsTask } from '#agent/core/network-extensions/next-tasks.ts';
import type { ToolEvent } from '#agent/core/network-extensions/tool-output.ts';

/** A stand-in for `gatehouse-extensions`, whose answers a test sets. */
export interface FakeExtensionsTool {
  program: string;
  /** Prints these events from now on, and ends as the real program does. */
  answer: (task: ExtensionsTask | 'status', ...events: ToolEvent[]) => void;
  /** Runs these lines of a shell from now on. */
  run: (task: ExtensionsTask | 'status', script: string) => void;
  /** The tasks that it was started with. */
  calls: () => string[];
  /** The process ids of these calls. */
  pids: () => number[];
  remove: () => void;
}

export const extensionIds = ['com.example.agent.flowmonitor', 'com.example.agent.proxymonitor'];

/** The events of `status`: both extensions have the state, and the filter is configured. */
export const statusOf = (
  state: 'active' | 'needs_approval' | 'inactive',
  proxy: { enabled: boolean; running: boolean } | null = null,
): ToolEvent[] => [
  ...extensionIds.map((extension): ToolEvent => ({
    event: 'status',
    extension,
    state,
    versions: ['1.0'],
  })),
  { event: 'status', configuration: 'filter', present: true, enabled: true },
  {
    event: 'status',
    configuration: 'proxy',
    present: proxy !== null,
    ...(proxy ?? { enabled: false, running: false }),
  },
];

export const activated: ToolEvent[] = [
  ...extensionIds.map(
    (extension) => ({ event: 'activated', extension, needs_restart: false }) as const,
  ),
  { event: 'configured', configuration: 'filter', was_present: true },
];

export function createFakeExtensionsTool(): FakeExtensionsTool {
  const folder = mkdtempSync(join(tmpdir(), 'extensions-tool-'));
  const [program, log] = [join(folder, 'gatehouse-extensions'), join(folder, 'log')];
  const script = ['#!/bin/sh', `echo "$1 $$" >>'${log}'`, `. '${folder}'/"$1"`].join('\n');
  writeFileSync(program, `${script}\n`, { mode: 0o755 });

  const run: FakeExtensionsTool['run'] = (task, lines) => {
    writeFileSync(join(folder, `${task}.new`), `${lines}\n`);
    renameSync(join(folder, `${task}.new`), join(folder, task));
  };
  const entries = (): string[][] =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .trim()
          .split('\n')
          .map((line) => line.split(' '))
      : [];
  const answer: FakeExtensionsTool['answer'] = (task, ...events) => {
    const failed = events.some(({ event }) => event === 'failed' || event === 'needs_approval');
    const lines = [...events, { event: 'done', ok: !failed }].map((one) => JSON.stringify(one));
    run(task, `cat <<'END'\n${lines.join('\n')}\nEND\nexit ${failed ? 1 : 0}`);
  };

  answer('status', ...statusOf('active'));
  answer('activate', ...activated);
  answer('start-proxy', { event: 'started', configuration: 'proxy', was_running: false });
  answer('stop-proxy', { event: 'stopped', configuration: 'proxy', was_running: true });
  return {
    program,
    answer,
    run,
    calls: () => entries().map(([task = '']) => task),
    pids: () => entries().map(([, pid]) => Number(pid)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
