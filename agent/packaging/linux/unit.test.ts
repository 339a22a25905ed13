import { expect, test } from 'vitest';
import { recordingFiles } from '#agent/node/coding-agents/recording-files.ts';
import { hookFiles } from '#agent/node/tool-checks/hook-files.ts';
import { linuxNames } from './names.ts';
import { configured, serviceUnit } from './unit.ts';

test('the service can write all managed settings of coding agents', () => {
  const files = [...recordingFiles('linux'), ...hookFiles('linux')];
  const folders = files.map(({ path }) => path.split('/')[2]);
  expect([...new Set(folders)]).toEqual(configured);
});

test('the service does not wait until the network is online, which may take minutes', () => {
  const unit = serviceUnit(linuxNames('Lookout', 'com.example.lookout'));
  expect(unit).toContain('\nAfter=network.target\n');
  expect(unit).not.toContain('network-online');
});

test('of all devices, the service can open pseudo devices and the TPM', () => {
  const lines = serviceUnit(linuxNames('Lookout', 'com.example.lookout')).split('\n');
  expect(lines.filter((line) => /Device/.test(line))).toEqual([
    'DevicePolicy=closed',
    'DeviceAllow=char-tpm rw',
  ]);
});
