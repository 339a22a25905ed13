import type { Tree } from './tree.ts';

const escape = (text: string) => text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
const matcher = (segment: string) => new RegExp(`^${segment.split('*').map(escape).join('.*')}$`);

/** As in a shell, a star at the start does not match a dot. */
const isHidden = (name: string, segment: string) => name.startsWith('.') && segment.startsWith('*');

async function matches(tree: Tree, dir: string, segment: string): Promise<string[]> {
  const wanted = matcher(segment);
  return (await tree.list(dir || '/'))
    .filter(({ name }) => wanted.test(name) && !isHidden(name, segment))
    .map(({ name }) => `${dir}/${name}`);
}

/** Returns the existing paths that match a pattern; `*` matches any part of one name. */
export async function expand(tree: Tree, pattern: string): Promise<string[]> {
  let found = [''];
  for (const segment of pattern.split('/').filter(Boolean)) {
    const next = segment.includes('*')
      ? await Promise.all(found.map((dir) => matches(tree, dir, segment)))
      : [found.map((dir) => `${dir}/${segment}`)];
    found = next.flat();
  }
  const present = await Promise.all(found.map((path) => tree.resolve(path)));
  return found.filter((_, i) => present[i] !== undefined);
}
