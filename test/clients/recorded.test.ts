import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { compare } from './compare.ts';
import { exportedSpans } from './exported-spans.ts';
import { replay } from './replay.ts';
import { recordings, tableOf, writtenTable } from './table.ts';
import { runsOf } from './try-client.ts';

const recorded = recordings();

describe.each(databases)('recorded exports of real clients, on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  test.each(recorded.map((recording) => [recording.client, recording] as const))(
    'every cell of %s is correct',
    async (_name, recording) => {
      await replay(service, recording);
      const runs = await runsOf(service, recording.requests);
      expect(compare(recording.truth, runs, recording.requests)).toEqual(recording.cells);
      const wrong = Object.values(recording.cells).filter((cell) => cell.startsWith('wrong'));
      expect(wrong).toEqual([]);
    },
  );
});

test('the table in the documentation matches the recordings', () => {
  expect(writtenTable()).toBe(tableOf(recorded));
  expect(recorded.length).toBeGreaterThan(20);
  for (const { requests } of recorded) expect(exportedSpans(requests).length).toBeGreaterThan(0);
});
