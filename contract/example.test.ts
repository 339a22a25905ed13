import { expect, test } from 'vitest';
import { z } from 'zod';
import { exampleOf } from './example.ts';
import { contract } from './index.ts';
import type { Route } from './route.ts';

const shapes = Object.values(contract)
  .flatMap((group) => Object.entries<Route>(group))
  .flatMap(([name, route]) => [
    ...(route.body ? ([[`what ${name} takes`, route.body]] as const) : []),
    ...(route.produces || route.status === 204
      ? []
      : ([[`what ${name} answers`, route.response]] as const)),
  ]);

test.each(shapes)('the example of %s is valid', (_name, schema) => {
  const example = exampleOf(z.toJSONSchema(schema, { io: 'input' }));
  const { error } = z.safeDecode(schema, example);
  // An example of an embedding has only its first numbers.
  const issues = (error?.issues ?? []).filter(
    ({ path }) => !String(path.at(-1)).endsWith('embedding'),
  );
  expect(issues).toEqual([]);
});
