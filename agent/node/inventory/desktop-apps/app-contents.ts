import { join } from 'node:path';
import { isObject } from '#agent/core/recognition/mcp-server.ts';
import type { Signal } from '#agent/core/recognition/signals.ts';
import { withAsar } from '../asar-file.ts';
import { manifestEvidence } from '../described-finding.ts';
import { parseManifest, readJsonManifest, textIn, type Manifest } from '../manifest.ts';
import type { Scan } from '../platform-paths/platform-paths.ts';
import { addressInArchive } from './model-calls.ts';

/**
 * The maximum number of archives: more apps than any user has. Each takes up to four megabytes to
 * read.
 */
const MAX_ARCHIVES = 200;

/** Whether this scan may open one more archive; if not, it is noted for the app. */
function mayOpenArchive(scan: Scan, app: string): boolean {
  scan.archives = (scan.archives ?? 0) + 1;
  if (scan.archives > MAX_ARCHIVES)
    scan.notRead(app, `more than ${MAX_ARCHIVES} archives of apps, this one was not examined`);

  return scan.archives <= MAX_ARCHIVES;
}

/** Whether the package of an Electron app says that the app is about AI. */
function packageIsAboutAi(manifest: Manifest): boolean {
  const name = textIn(manifest, 'name');
  const { description: summary, keywords, dependencies } = manifest;
  return (
    name !== undefined &&
    manifestEvidence({
      name,
      summary,
      keywords,
      dependencies: isObject(dependencies) ? Object.keys(dependencies) : [],
    }) !== undefined
  );
}

const declared = (resources: string): Signal => ({
  kind: 'description',
  text: `the package.json in ${resources} says that it is about AI`,
});

/** Evidence that an app's code calls language models. */
export const callsModels = (address: string): Signal => ({
  kind: 'mark',
  text: `its code has ${address}`,
});

/**
 * Evidence in the package or the code of an Electron app that the app is about AI. `app`: the path
 * that the app is reported with.
 */
export async function aiEvidenceInElectron(
  scan: Scan,
  app: string,
  resources: string,
): Promise<Signal | undefined> {
  const target = await scan.tree.resolve(`${resources}/app.asar`);
  if (target === undefined) {
    const manifest = await readJsonManifest(scan.tree, `${resources}/app/package.json`);
    return manifest && packageIsAboutAi(manifest) ? declared(resources) : undefined;
  }
  if (!mayOpenArchive(scan, app)) return undefined;
  return withAsar(join(scan.tree.root, target), async (archive) => {
    const bytes = await archive.read('package.json');
    const manifest = bytes && parseManifest(bytes);
    if (!manifest) return undefined;
    if (packageIsAboutAi(manifest)) return declared(resources);
    const address = await addressInArchive(scan, app, archive, textIn(manifest, 'main'));
    return address === undefined ? undefined : callsModels(address);
  });
}

/** Libraries that run language or speech models, as found in macOS app bundles. */
const engine =
  /^(?:lib)?(?:llama|ggml|whisper)(?:[-.]\w+)*\.(?:framework|dylib)$|^mlx-swift_Cmlx\.bundle$/i;

/** Programs that apps bundle: terminal agents and model runners. */
const helper =
  /^(?:claude|codex|codex-acp|goosed|opencode|opencode-cli|ollama|llama-(?:cli|server)|llamafile|whisper-(?:cli|server))(?:-(?:aarch64|arm64|x86_64|x64|universal)[\w-]*)?$/;

const places = [
  { dir: 'Frameworks', names: engine },
  { dir: 'Resources', names: engine },
  { dir: 'Resources', names: helper },
  { dir: 'Resources/bin', names: helper },
  { dir: 'MacOS', names: helper },
] as const;

/** The first of these libraries and programs in an app bundle, besides its main program. */
export async function modelEngineIn(
  scan: Scan,
  bundle: string,
  main: string,
): Promise<string | undefined> {
  for (const { dir, names } of places) {
    const path = `${bundle}/Contents/${dir}`;
    const found = (await scan.tree.list(path)).find(
      ({ name, kind }) =>
        names.test(name) && name !== main && (names === engine || kind !== 'directory'),
    );
    if (found !== undefined) return `${path}/${found.name}`;
  }
  return undefined;
}
