import { describe, expect, test } from 'vitest';
import { graphOf, type Import, importsIn, importsOf, shortestCircle } from './import-graph.ts';

/** The capability of a file; undefined for programs and for files that combine capabilities. */
function capabilityOf(path: string): string | undefined {
  if (path.endsWith('command.ts')) return undefined;
  return /^control-plane\/(?!console\/)([^/]+)\//.exec(path)?.[1];
}

const imports = importsIn(
  '{contract,control-plane,agent,domain,pki,profile-builder,installer,sdk}/**/*.{ts,tsx}',
);

type Edge = readonly [from: string, to: string];

const foldersOf = (of: readonly Import[]): Edge[] =>
  of.flatMap(({ from, to }) => {
    const [a, b] = [capabilityOf(from), capabilityOf(to)];
    return a !== undefined && b !== undefined && a !== b ? [[a, b] as const] : [];
  });

/** Describes the shortest circle with the imports that form it. */
function described(circle: readonly string[] | undefined, of: readonly Import[]): string[] {
  if (!circle) return [];
  return circle.flatMap((folder, index) => {
    const next = circle[(index + 1) % circle.length]!;
    const because = of.filter(
      ({ from, to }) => capabilityOf(from) === folder && capabilityOf(to) === next,
    );
    return because.map(({ from, to }) => `${folder} > ${next}: ${from} imports ${to}`);
  });
}

describe('finding circles', () => {
  test('considers static imports and import(), and can exclude types', () => {
    const text = [
      "import { a } from './a.ts';",
      "import type { B } from './b.ts';",
      "import {\n  type C,\n} from '../c.ts';",
      "export { d } from '#domain/d.ts';",
      "const e = await import('./e.ts');",
      "type F = import('./f.ts').F;",
      "import './g.ts';",
      "import { z } from 'zod';",
    ].join('\n');
    const found = importsOf('x/y.ts', text).map(({ to, isType }) => (isType ? `type ${to}` : to));
    expect(found.toSorted()).toEqual([
      'domain/d.ts',
      'type c.ts',
      'type x/b.ts',
      'type x/f.ts',
      'x/a.ts',
      'x/e.ts',
      'x/g.ts',
    ]);
  });

  test('reports the shortest circle', () => {
    const edges = ['ab', 'bc', 'ca', 'cd', 'dc'].map(([from, to]) => [from!, to!] as const);
    expect(shortestCircle(graphOf(edges))).toEqual(['c', 'd']);
    expect(shortestCircle(graphOf(edges.slice(0, 2)))).toBeUndefined();
  });
});

test('no files import each other in a circle, including import() and types', () => {
  expect(imports.length).toBeGreaterThan(3000);
  const graph = graphOf(imports.map(({ from, to }) => [from, to] as const));
  expect(shortestCircle(graph) ?? []).toEqual([]);
});

test('no capabilities of the control plane import each other in a circle, including types', () => {
  const edges = foldersOf(imports);
  expect(new Set(edges.map(([from]) => from)).size).toBeGreaterThan(30);
  expect(described(shortestCircle(graphOf(edges)), imports)).toEqual([]);
});
