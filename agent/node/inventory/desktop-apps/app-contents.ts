import { join } from 'node:path';
import { packageNamesAi } from '#agent/core/recognition/ai-words.ts';
import { isObject } from '#agent/core/recognition/mcp-server.ts';
import { readAsarFile } from '../asar-file.ts';
import { parseManifest, readJsonManifest, textIn, type Manifest } from '../manifest.ts';
import type { Scan } from '../platform-paths/platform-paths.ts';

/** More apps than any user has; each takes up to four megabytes to read. */
const MAX_ARCHIVES = 200;

/** Whether this scan may open one more archive. */
function mayOpenArchive(scan: Scan): boolean {
  scan.archives = (scan.archives ?? 0) + 1;
  if (scan.archives > MAX_ARCHIVES)
    scan.problem(`more than ${MAX_ARCHIVES} archives of apps, the rest was not looked into`);

  return scan.archives <= MAX_ARCHIVES;
}

/** The package.json of an Electron app, in its resources folder or the archive there. */
async function electronPackage(scan: Scan, resources: string): Promise<Manifest | undefined> {
  const target = await scan.tree.resolve(`${resources}/app.asar`);
  if (target === undefined) return readJsonManifest(scan.tree, `${resources}/app/package.json`);
  if (!mayOpenArchive(scan)) return undefined;
  const bytes = await readAsarFile(join(scan.tree.root, target), 'package.json');
  return bytes && parseManifest(bytes);
}

/** The file in an Electron app's package that says that the app is about AI. */
export async function aiPackageIn(scan: Scan, resources: string): Promise<string | undefined> {
  const manifest = await electronPackage(scan, resources);
  const name = manifest && textIn(manifest, 'name');
  if (!manifest || name === undefined) return undefined;
  const { description: summary, keywords, dependencies } = manifest;
  const isAboutAi = packageNamesAi({
    name,
    summary,
    keywords,
    dependencies: isObject(dependencies) ? Object.keys(dependencies) : [],
  });
  return isAboutAi ? `the package.json in ${resources}` : undefined;
}

/** Libraries that run language or speech models, as found in macOS app bundles. */
const engine =
  /^(?:lib)?(?:llama|ggml|whisper)(?:[-.]\w+)*\.(?:framework|dylib)$|^mlx-swift_Cmlx\.bundle$/i;

/** The first of these libraries in an app bundle. */
export async function modelEngineIn(scan: Scan, bundle: string): Promise<string | undefined> {
  for (const dir of [`${bundle}/Contents/Frameworks`, `${bundle}/Contents/Resources`]) {
    const names = (await scan.tree.list(dir)).map((item) => item.name);
    const found = names.find((name) => engine.test(name));
    if (found !== undefined) return `${dir}/${found}`;
  }
  return undefined;
}
