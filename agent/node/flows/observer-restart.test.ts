import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { setUpFlowObserver } from './testing/set-up-flow-observer.ts';

const patience = { interval: 20 };
const world = setUpFlowObserver();
const { observe } = world;

describe('a started observer', { tags: ['networks', 'openssl'] }, () => {
  const stored = {
    key: 1,
    id: 'fl_1',
    protocol: 'tcp',
    localAddress: '10.0.0.1',
    localPort: 40_000,
    address: '10.9.9.9',
    port: 443,
    inode: 1,
    user: 'ann',
    owner: null,
    appId: null,
    host: 'claude.ai',
    startedAt: 1000,
    bytesIn: 5,
    bytesOut: 6,
  };

  test('after a reboot ends the earlier flows at the time when they were last seen', async () => {
    const stateFile = join(world.folder, 'rebooted.json');
    writeFileSync(
      stateFile,
      JSON.stringify({ scope: 'another boot', seen_at: 5000, flows: [stored] }),
    );
    await observe({ stateFile });
    await world.observer?.stop();
    world.observer = undefined;
    await observe({ stateFile });
    const before = world.reports.filter(({ id }) => id === 'fl_1');
    expect(before).toMatchObject([
      { address: '10.9.9.9', host: 'claude.ai', started_at: 1000, ended_at: 5000, bytes_in: 5 },
    ]);
  });

  test.each([
    ['was long ago', 5001, [[100_000, 105_001]]],
    ['was just now', 5000, []],
    ['is later than now, for a clock was set back', -5001, []],
  ])('reports the observation gap if the last poll %s', async (_, ago, expected) => {
    const stateFile = join(world.folder, `looked-${ago}.json`);
    writeFileSync(stateFile, JSON.stringify({ scope: 'boot', seen_at: 100_000, flows: [] }));
    const gaps: number[][] = [];
    const now = () => 100_000 + ago;
    await observe({ stateFile, now, onGap: (from, to) => gaps.push([from, to]) });
    expect(gaps).toEqual(expected);
  });

  test('closes its sockets if a report of the time before the start fails', async () => {
    const stateFile = join(world.folder, 'failing.json');
    const state = { scope: 'boot', seen_at: 0, flows: [] };
    writeFileSync(stateFile, JSON.stringify(state));
    const countSockets = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).startsWith('socket:');
        } catch {
          return false;
        }
      }).length;
    const before = countSockets();
    const onGap = (): void => {
      throw new Error('no space left');
    };
    await expect(observe({ stateFile, onGap })).rejects.toThrow('no space left');
    expect(countSockets()).toBe(before);
  });

  test('saves the time of its last poll, even without flows', async () => {
    const stateFile = join(world.folder, 'looking.json');
    const seenAt = () =>
      (JSON.parse(readFileSync(stateFile, 'utf8')) as { seen_at: number }).seen_at;
    let time = Date.now();
    await observe({ stateFile, now: () => time });
    expect(seenAt()).toBe(time);
    time += 5000;
    await vi.waitFor(() => expect(seenAt()).toBe(time), patience);
  });

  test('reports a damaged state file once, and observes', async () => {
    const stateFile = join(world.folder, 'damaged.json');
    writeFileSync(stateFile, '{');
    await observe({ stateFile });
    expect(world.problems).toEqual([
      `the open flows in ${stateFile} cannot be read and are discarded`,
    ]);
  });
});
