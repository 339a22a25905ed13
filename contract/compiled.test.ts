import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { exampleOf } from './example.ts';
import { contract } from './index.ts';
import type { Route } from './route.ts';

const bodies = Object.values(contract)
  .flatMap((group) => Object.values(group) as Route[])
  .flatMap(({ method, path, body }) => (body ? [[`${method} ${path}`, body] as const] : []));

/** Replaces some of the values in a valid body. */
const spoilt = (body: unknown, place: () => boolean, other: () => unknown): unknown => {
  if (place()) return other();
  if (Array.isArray(body)) return body.map((item) => spoilt(item, place, other));
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, spoilt(value, place, other)]),
  );
};

const other = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    '',
    '2026-11-21T10:00:00Z',
    'true',
    [],
    {},
    -1,
    0.5,
    1e9,
  ),
  fc.jsonValue(),
);

test.each(bodies)('%s: the compiled schema of its body gives the same results', (_, body) => {
  const compiled = z.compile(body);
  const example = exampleOf(z.toJSONSchema(body, { io: 'input' }));
  const answer = (schema: z.ZodType, value: unknown) => {
    const { success, data, error } = z.safeDecode(schema, value);
    return success ? { data } : { issues: error.issues };
  };
  fc.assert(
    fc.property(
      fc.array(fc.nat(5), { minLength: 1 }),
      fc.array(other, { minLength: 1 }),
      (places, others) => {
        let at = 0;
        let next = 0;
        const value = spoilt(
          example,
          () => places[at++ % places.length] === 0,
          () => others[next++ % others.length],
        );
        expect(answer(compiled, value)).toEqual(answer(body, value));
      },
    ),
    { numRuns: 50 },
  );
});
