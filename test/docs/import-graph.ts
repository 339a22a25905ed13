import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../support/processes.ts';

/** Maps a file or folder to those that it imports. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

export interface Import {
  from: string;
  to: string;
  /** Whether the import is erased when the program runs. */
  isType: boolean;
}

const statement = /^(?:import|export)\s+(type\b)?\s*([^;'"]*?)\s*(?:\bfrom\s+)?'([#.][^']+)';/gm;
const onlyTypes = /^\{(\s*type [\w ]+,?)+\s*\}$/;
const dynamic = /\bimport\('([#.][^']+)'\)(\.[A-Z])?/g;

const fileOf = (from: string, importer: string): string =>
  from.startsWith('#') ? from.slice(1) : join(dirname(importer), from);

/** The imports of a file within this repository, static and with `import()`. */
export function importsOf(file: string, text: string): Import[] {
  const statements = [...text.matchAll(statement)].map(([, type, names = '', path = '']) => ({
    from: file,
    to: fileOf(path, file),
    isType: type !== undefined || onlyTypes.test(names),
  }));
  const calls = [...text.matchAll(dynamic)].map(([, path = '', member]) => ({
    from: file,
    to: fileOf(path, file),
    isType: member !== undefined,
  }));
  return [...statements, ...calls];
}

/** All imports of the matching files, except tests and fixtures. */
export const importsIn = (pattern: string): Import[] =>
  globSync(pattern, { cwd: root })
    .filter((file) => !/\.test\.tsx?$|\/(testing|dist|node_modules)\//.test(file))
    .flatMap((file) => importsOf(file, readFileSync(join(root, file), 'utf8')));

export function graphOf(edges: Iterable<readonly [from: string, to: string]>): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of edges)
    if (from !== to) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  return graph;
}

/** Returns the shortest circle of a graph. The last member imports the first one. */
export function shortestCircle(graph: Graph): string[] | undefined {
  const circles = [...graph.keys()].flatMap((start) => {
    const circle = shortestFrom(graph, start);
    return circle ? [circle] : [];
  });
  return circles.sort((a, b) => a.length - b.length)[0];
}

function shortestFrom(graph: Graph, start: string): string[] | undefined {
  const paths = [[start]];
  const seen = new Set([start]);
  for (const path of paths)
    for (const next of graph.get(path.at(-1)!) ?? []) {
      if (next === start) return path;
      if (seen.has(next)) continue;
      seen.add(next);
      paths.push([...path, next]);
    }
  return undefined;
}
