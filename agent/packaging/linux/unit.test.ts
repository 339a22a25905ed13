import { expect, test } from 'vitest';
import { recordingFiles } from '#agent/node/coding-agents/recording-files.ts';
import { hookFiles } from '#agent/node/tool-checks/hook-files.ts';
import { configured } from './unit.ts';

test('the service can write all managed settings of coding agents', () => {
  const files = [...recordingFiles('linux'), ...hookFiles('linux')];
  const folders = files.map(({ path }) => path.split('/')[2]);
  expect([...new Set(folders)]).toEqual(configured);
});
