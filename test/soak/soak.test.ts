import { expect, test } from 'vitest';
import { exchanges } from './exchanges.ts';
import { soak } from './soak.ts';

const tags = ['networks', 'nft', 'curl'];

// A few short rounds of what `npm run soak` does for an hour and a half.
test(
  'traffic of all kinds through capture: clients see what servers send, nothing is left open or leaked',
  { tags },
  async () => {
    const { violations, counts, restarts } = await soak({ rounds: 3, roundSeconds: 8 });
    expect(violations).toEqual([]);
    expect(Object.keys(counts).sort()).toEqual(
      [...Object.keys(exchanges), 'refused certificates'].sort(),
    );
    expect(restarts).toEqual({ controlPlane: 1, agent: 0 });
  },
);
