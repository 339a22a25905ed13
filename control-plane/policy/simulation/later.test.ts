import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLater } from './event-queue.ts';

test('what is due comes soonest first, and of the same time in the order in which it was added', () => {
  const step = fc.oneof(fc.record({ add: fc.nat(20) }), fc.record({ until: fc.nat(25) }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const later = createLater<number>();
      let waiting: { at: number; item: number }[] = [];
      steps.forEach((one, item) => {
        if ('add' in one) {
          later.add(one.add, item);
          waiting.push({ at: one.add, item });
          return;
        }
        const due = waiting
          .filter(({ at }) => at <= one.until)
          .sort((a, b) => a.at - b.at || a.item - b.item);
        waiting = waiting.filter(({ at }) => at > one.until);
        for (const expected of due) expect(later.takeDue(one.until)).toMatchObject(expected);
        expect(later.takeDue(one.until)).toBeUndefined();
      });
    }),
  );
});
