import { expect, test } from 'vitest';
import { mayChange, maySee, refuseSharing } from './list-view-rules.ts';

const own = { owner_id: 'ada', is_shared: 0 };
const shared = { owner_id: 'ada', is_shared: 1 };

test.each([
  [own, 'ada', 'viewer', true, true],
  [own, 'bob', 'owner', false, false],
  [shared, 'bob', 'analyst', true, false],
  [shared, 'bob', 'admin', true, true],
] as const)('for the view %j, %s with the role %s can see it: %s, can change it: %s', (...args) => {
  const [view, userId, role, sees, changes] = args;
  expect([maySee(view, { userId, role }), mayChange(view, { userId, role })]).toEqual([
    sees,
    changes,
  ]);
});

test('a viewer cannot share', () => {
  expect(() => refuseSharing({ userId: 'ada', role: 'viewer' })).toThrow(/analyst/);
  expect(() => refuseSharing({ userId: 'ada', role: 'analyst' })).not.toThrow();
});
