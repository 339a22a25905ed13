import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBoundedCopy } from './bounded-copy.ts';
import { createCopyBudget, createReservation } from './copy-budget.ts';
import { concatenated } from './testing/conversation.ts';

describe('createBoundedCopy', () => {
  const parts = fc.array(fc.uint8Array({ maxLength: 300 }));

  test('keeps the beginning, exactly up to its limit', () => {
    fc.assert(
      fc.property(parts, fc.nat(2000), (all, most) => {
        const budget = createCopyBudget(10_000_000);
        const copy = createBoundedCopy(createReservation(budget), most);
        for (const part of all) copy.append(part);
        const whole = concatenated(all);
        expect(concatenated(copy.blocks())).toEqual(whole.subarray(0, most));
        expect(copy.size()).toBe(whole.length);
        expect(copy.isTruncated()).toBe(whole.length > most);
        expect(budget.held()).toBeLessThanOrEqual(most);
      }),
    );
  });

  test('keeps a beginning with any budget, and takes as many bytes as it allocates', () => {
    fc.assert(
      fc.property(parts, fc.nat(3000), (all, most) => {
        const budget = createCopyBudget(most);
        const copy = createBoundedCopy(createReservation(budget), 1_000_000);
        for (const part of all) copy.append(part);
        const whole = concatenated(all);
        const kept = concatenated(copy.blocks());
        expect(kept).toEqual(whole.subarray(0, kept.length));
        expect(copy.isTruncated()).toBe(kept.length < whole.length);
        const allocated = copy.blocks().reduce((sum, block) => sum + block.buffer.byteLength, 0);
        expect(allocated).toBe(budget.held());
      }),
    );
  });

  test('needs few blocks for a body of many small parts', () => {
    const copy = createBoundedCopy(createReservation(createCopyBudget(1e9)), 1e9);
    for (let i = 0; i < 200_000; i++) copy.append(Uint8Array.of(i));
    expect(copy.blocks().length).toBeLessThan(20);
  });

  test('has a gap where bytes were skipped', () => {
    const copy = createBoundedCopy(createReservation(createCopyBudget(1000)), 1000);
    copy.append(Uint8Array.of(1));
    copy.skip(0);
    expect(copy.isTruncated()).toBe(false);
    copy.skip(5);
    copy.append(Uint8Array.of(2));
    expect(concatenated(copy.blocks())).toEqual(Uint8Array.of(1));
    expect([copy.isTruncated(), copy.size()]).toEqual([true, 7]);
  });
});

describe('createReservation', () => {
  test('releases all bytes at once, whichever copy they belong to', () => {
    const budget = createCopyBudget(100);
    const [first, second] = [createReservation(budget), createReservation(budget)];
    expect([first.take(60), second.take(60), second.take(30)]).toEqual([true, false, true]);
    first.adopt(second);
    second.release();
    expect(budget.held()).toBe(90);
    first.release();
    first.release();
    expect([budget.held(), first.take(1)]).toEqual([0, false]);
  });

  test('keeps nothing once it is released', () => {
    const budget = createCopyBudget(100);
    const [over, other] = [createReservation(budget), createReservation(budget)];
    over.release();
    other.take(10);
    over.adopt(other);
    expect(budget.held()).toBe(0);
  });
});
