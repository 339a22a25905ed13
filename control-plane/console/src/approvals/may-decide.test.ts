import { expect, test } from 'vitest';
import type { Role } from '#contract/route.ts';
import { mayDecide } from './may-decide.ts';

const ada = (role: Role) => ({ id: 'usr_1', email: 'ada@example.test', role });

test.each<[role: Role, approvers: string[], may: boolean]>([
  ['owner', [], true],
  ['owner', ['grace@example.test'], true],
  ['admin', [], true],
  ['admin', ['grace@example.test'], false],
  ['analyst', [], false],
  ['viewer', ['Ada@Example.test'], true],
  ['viewer', ['usr_1'], true],
])('%s, approvers %j: %s', (role, approvers, may) => {
  expect(mayDecide(ada(role), { approvers })).toBe(may);
});
