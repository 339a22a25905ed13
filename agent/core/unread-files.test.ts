import { expect, test } from 'vitest';
import { splitUnreadFiles, withoutPart } from './unread-files.ts';

test('only lines of the inventory about a path are no problems', () => {
  const unread_files = ['inventory: /home/ada/x/.mcp.json: not JSON', 'inventory: ~/y: too large'];
  const problems = ['inventory: scan failed: no memory', 'state: /x: ENOSPC', 'flows: a'];
  expect(splitUnreadFiles([...problems, ...unread_files])).toEqual({ unread_files, problems });
  expect(unread_files.map(withoutPart)).toEqual([
    '/home/ada/x/.mcp.json: not JSON',
    '~/y: too large',
  ]);
});
