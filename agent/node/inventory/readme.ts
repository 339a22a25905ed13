import { CONFIG_LIMIT } from './config-file.ts';
import type { Scan } from './platform-paths/platform-paths.ts';

const readmes = ['README.md', 'readme.md', 'README'];
const README_START = 4096;

/** The start of a README without images, link targets and markup. */
export const proseOf = (markdown: string): string =>
  markdown
    .slice(0, README_START)
    .replaceAll(/<!--[\s\S]*?-->|<[^>]*>|!\[[^\]]*\]\([^)]*\)|\]\([^)]*\)|[#*_`[\]]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The first sentences of a folder's README; empty without one. */
export async function readmeBeginning(scan: Scan, dir: string): Promise<string> {
  for (const name of readmes) {
    const content = await scan.tree.read(`${dir}/${name}`, CONFIG_LIMIT);
    if (!content || 'error' in content || content.bytes.length === 0) continue;
    return proseOf(content.bytes.toString('utf8', 0, README_START));
  }
  return '';
}
