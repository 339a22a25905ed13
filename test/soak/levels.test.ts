import { describe, expect, test } from 'vitest';
import { growthOf } from './levels.ts';

describe('memory at the pauses of a soak', () => {
  test.each([
    { name: 'before it settles', rssMb: [100, 400, 300], grown: false },
    { name: 'at the same level', rssMb: [300, 350, 360, 355, 370, 362, 358], grown: false },
    { name: 'one high rest', rssMb: [300, 350, 360, 355, 470, 362, 468], grown: false },
    { name: 'high at every rest', rssMb: [300, 350, 360, 425, 430, 425], grown: true },
    { name: 'slow growth', rssMb: [300, 310, 320, 340, 360, 380, 400, 420, 440], grown: true },
  ])('$name', ({ rssMb, grown }) => {
    expect(growthOf(rssMb) !== undefined).toBe(grown);
  });
});
