import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkLinks } from './check-links.ts';
import type { TreeNode } from './read-tree.ts';

const link = (path: string, target: string): TreeNode => ({ type: 'link', path, target, mtime: 0 });
const check = (...links: [string, string][]) => {
  checkLinks(
    links.map(([path, target]) => link(path, target)),
    '/X.app',
  );
};

describe('links in a bundle', () => {
  it.each([
    ['beside it', 'Contents/a', 'b'],
    ['above it', 'Contents/MacOS/a', '../Info.plist'],
    ['the bundle itself', 'Contents/a', '..'],
    ['what does not exist', 'Contents/a', 'x/../y'],
    ['with doubled slashes and dots', 'a', './/Contents/./b'],
  ])('may lead to %s', (_, path, target) => {
    expect(() => check([path, target])).not.toThrow();
  });

  it.each([
    ['out', 'a', '..', 'leads out of the bundle'],
    ['out and back in', 'a', '../X.app/b', 'leads out of the bundle'],
    ['out from below', 'Contents/MacOS/a', '../../../etc', 'leads out of the bundle'],
    ['to an absolute path', 'a', '/X.app/b', 'to an absolute path'],
    ['to itself', 'a', 'a', 'leads to itself'],
  ])('may not lead %s', (_, path, target, why) => {
    expect(() => check([path, target])).toThrow(`/X.app/${path}: a link`);
    expect(() => check([path, target])).toThrow(why);
  });

  it('may not combine to lead out of the bundle', () => {
    expect(() => check(['a/b', '..'], ['c', 'a/b/..'])).toThrow('/X.app/c: a link that leads out');
  });

  it('are rejected if resolving them would leave the bundle', () => {
    const name = fc.constantFrom('a', 'b', 'a/c', 'a/d', 'b/e');
    const parts = fc.array(fc.constantFrom('..', 'a', 'b', 'c', 'd', 'e'), { minLength: 1 });
    const links = fc.uniqueArray(
      fc.tuple(
        name,
        parts.map((all) => all.join('/')),
      ),
      {
        selector: ([path]) => path,
        maxLength: 4,
      },
    );
    fc.assert(
      fc.property(links, (tree) => {
        const folder = realpathSync(mkdtempSync(join(tmpdir(), 'installer-')));
        const leads = tree.filter((one) => make(folder, one)).filter((one) => leaves(folder, one));
        rmSync(folder, { recursive: true });
        expect(leads.length > 0 && accepts(tree)).toBe(false);
      }),
    );
  });
});

function accepts(links: [string, string][]): boolean {
  try {
    check(...links);
    return true;
  } catch {
    return false;
  }
}

/** Returns false if a link already exists at the path. */
function make(folder: string, [path, target]: [string, string]): boolean {
  try {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(target, join(folder, path));
    return true;
  } catch {
    return false;
  }
}

function leaves(folder: string, [path]: [string, string]): boolean {
  try {
    const real = realpathSync(join(folder, path));
    return real !== folder && !real.startsWith(`${folder}/`);
  } catch {
    return false;
  }
}
