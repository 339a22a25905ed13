import type { Finding } from './finding.ts';
import { findJetbrainsPlugins } from './jetbrains-plugins.ts';
import type { Scan } from './platform-paths/platform-paths.ts';
import { findVimPlugins } from './vim-plugins.ts';
import { findVscodeExtensions } from './vscode-extensions.ts';
import { findZedExtensions } from './zed-extensions.ts';

const detectors = [findVscodeExtensions, findJetbrainsPlugins, findVimPlugins, findZedExtensions];

/** AI extensions and plugins of all editors, in a fixed order. */
export async function findEditorExtensions(scan: Scan): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const detect of detectors) found.push(...(await detect(scan)));
  return found;
}
