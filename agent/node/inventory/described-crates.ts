import { isObject, valueAt } from '#agent/core/recognition/mcp-server.ts';
import { commandLineTools } from '#domain/app-catalog/command-line-tools.ts';
import { CONFIG_LIMIT, parseConfig } from './config-file.ts';
import { manifestEvidence, describedFinding } from './described-finding.ts';
import { expand } from './expand.ts';
import type { Finding } from './finding.ts';
import { limited } from './limited.ts';
import type { Manifest } from './manifest.ts';
import type { Home, Scan } from './platform-paths/platform-paths.ts';

const known: ReadonlySet<string> = new Set(commandLineTools.flatMap((entry) => entry.cargo ?? []));

/** The maximum number of crates: more than any user installs with cargo. */
const MAX_CRATES = 500;

async function readToml(scan: Scan, path: string): Promise<Manifest | undefined> {
  const content = await scan.tree.read(path, CONFIG_LIMIT);
  if (!content || 'error' in content) return undefined;
  const parsed = await parseConfig(content.bytes, 'toml');
  return 'document' in parsed && isObject(parsed.document) ? parsed.document : undefined;
}

/**
 * Lists the installed crates. Lines of `.crates.toml` are `"name 1.2.3 (source)" = ["program"]`.
 */
async function installedCrates(scan: Scan, home: Home) {
  const list = await readToml(scan, `${home.dir}/.cargo/.crates.toml`);
  const crates = valueAt(list, ['v1']);
  return Object.entries(isObject(crates) ? crates : {}).flatMap(([crate, programs]) => {
    const [, name = '', version = ''] = /^([\w-]+) ([\w.+-]+) \(/.exec(crate) ?? [];
    const [program] = Array.isArray(programs) ? (programs as unknown[]) : [];
    return name !== '' && typeof program === 'string' ? [{ name, version, program }] : [];
  });
}

/** The description in a crate's sources, which cargo keeps after the build. */
async function describedCrate(
  scan: Scan,
  home: Home,
  { name, version, program }: { name: string; version: string; program: string },
): Promise<Finding[]> {
  const [declaredIn] = await expand(
    scan.tree,
    `${home.dir}/.cargo/registry/src/*/${name}-${version}/Cargo.toml`,
  );
  const manifest = declaredIn === undefined ? undefined : await readToml(scan, declaredIn);
  const about = valueAt(manifest, ['package']);
  const { description: summary, keywords } = isObject(about) ? about : {};
  const dependencies = isObject(manifest?.['dependencies']) ? manifest['dependencies'] : {};
  const evidence = manifestEvidence({
    name,
    summary,
    keywords,
    dependencies: Object.keys(dependencies),
  });
  const path = `${home.dir}/.cargo/bin/${program}`;
  if (declaredIn === undefined || !evidence || !(await scan.tree.stat(path))) return [];
  return [describedFinding({ path, home, name, version, declaredIn, evidence })];
}

/** Programs installed by cargo, outside the catalog, whose crate describes itself as AI. */
export async function findDescribedCrates(scan: Scan): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const home of scan.homes) {
    const crates = (await installedCrates(scan, home)).filter(({ name }) => !known.has(name));
    const at = { path: `${home.dir}/.cargo/`, of: 'crates' };
    for (const crate of limited(scan, crates, MAX_CRATES, at)) {
      scan.checkpoint();
      found.push(...(await describedCrate(scan, home, crate)));
    }
  }
  return found;
}
