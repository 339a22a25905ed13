import { describe, expect, test } from 'vitest';
import { growthOf } from './levels.ts';

describe('memory at the pauses of a soak', () => {
  const first = [290, 320, 330, 350, 360, 370, 390, 380, 385, 380];
  test.each([
    { name: 'while it settles', later: [], grown: false },
    { name: 'at the same level', later: [385, 400, 430, 420, 390], grown: false },
    { name: 'one high rest', later: [385, 390, 470, 380, 480, 385], grown: false },
    { name: 'high at every rest', later: [460, 470, 465], grown: true },
    { name: 'slow growth', later: [390, 400, 410, 420, 430, 440, 450, 460, 470, 480], grown: true },
  ])('$name', ({ later, grown }) => {
    expect(growthOf([...first, ...later]) !== undefined).toBe(grown);
  });
});
