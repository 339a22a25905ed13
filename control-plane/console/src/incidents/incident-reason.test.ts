import { expect, test } from 'vitest';
import { incidentReason } from './incident-reason.ts';

test.each([
  [
    'inventory',
    'tickets has the risk mcp_fs_write, new_flag',
    'tickets has the risk “file write access”, “new flag”',
  ],
  [
    'inventory',
    'tickets is not on the list of allowed apps',
    'tickets is not on the list of allowed apps',
  ],
  ['policy', 'it has the risk runs_commands', 'it has the risk runs_commands'],
] as const)('%s: %s', (source, reason, text) => {
  expect(incidentReason({ source, reason })).toBe(text);
});
