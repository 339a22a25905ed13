import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventQueue } from './event-queue.ts';

test('due items are returned earliest first, and in insertion order at the same time', () => {
  const step = fc.oneof(fc.record({ add: fc.nat(20) }), fc.record({ until: fc.nat(25) }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = createEventQueue<number>();
      let pending: { at: number; item: number }[] = [];
      steps.forEach((one, item) => {
        if ('add' in one) {
          queue.add(one.add, item);
          pending.push({ at: one.add, item });
          return;
        }
        const due = pending
          .filter(({ at }) => at <= one.until)
          .sort((a, b) => a.at - b.at || a.item - b.item);
        pending = pending.filter(({ at }) => at > one.until);
        for (const expected of due) expect(queue.takeDue(one.until)).toMatchObject(expected);
        expect(queue.takeDue(one.until)).toBeUndefined();
      });
    }),
  );
});
