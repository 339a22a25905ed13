import { mkdtemp, readdir, rm, stat, mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { HOUR_MS } from '#lib/time-units.ts';
import { InstallerError } from '#installer/installer-error.ts';
import { removeBusyFolder } from '#installer/remove-busy-folder.ts';
import type { Config, InstallerSettings } from '../config.ts';
import type { Context } from '../context.ts';
import { version as ownVersion } from '../startup/version.ts';
import { sha256OfFile, stampOf } from './file-facts.ts';
import type { PackageFile } from './package-file.ts';
import { runInstaller } from './run-installer.ts';

type Build = Extract<InstallerSettings, { app: string }>;
type Needs = Pick<Context, 'config' | 'log' | 'packages'>;

/** The cache folder, the cache key, and the app's version. */
interface BuildFolder {
  folder: string;
  key: string;
  version: string;
}

/**
 * Returns the package for the current state of the app. It is built once, even for concurrent
 * requests, and cached in DATA_DIR until the app, the signing identity or the product changes. A
 * cached package that was modified is rebuilt on the next request.
 */
export async function buildOnce(context: Needs, settings: Build): Promise<PackageFile> {
  const version = await versionOf(settings.app);
  const folder = join(context.config.dataDir, 'installer');
  const target = { folder, key: await keyOf(context.config, settings, version), version };
  const id = join(folder, target.key);
  const { packages } = context;
  const pending = packages.get(id) ?? prepare(context, settings, target);
  packages.set(id, pending);
  const forget = () => packages.get(id) === pending && packages.delete(id);
  pending.catch(forget);
  const file = await pending;
  if ((await stampOf(file.path).catch(() => 'gone')) !== file.stamp) forget();
  return file;
}

async function prepare(context: Needs, settings: Build, target: BuildFolder): Promise<PackageFile> {
  const { folder, version } = target;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const cached = await findCachedPackage(context, target);
  if (cached) return cached;
  context.log.info(`building the installer package of ${settings.app} ${version}`);
  const file = await withDraftFolder(folder, async (draft) => {
    const path = join(draft, 'package.pkg');
    await build(context.config, settings, { path, version });
    return store(path, target);
  });
  await removeOthers(folder, file.path);
  return file;
}

/** Matches the name of a cached package: its cache key, and the SHA-256 of its content. */
const NAME = /^([0-9a-f]{32})-([0-9a-f]{64})\.pkg$/;

async function store(draft: string, { folder, key, version }: BuildFolder): Promise<PackageFile> {
  const sha256 = await sha256OfFile(draft);
  const path = join(folder, `${key}-${sha256}.pkg`);
  await rename(draft, path);
  return { path, version, sha256, stamp: await stampOf(path) };
}

/** Returns the cached package if its content is unchanged. */
async function findCachedPackage(
  { log }: Needs,
  { folder, key, version }: BuildFolder,
): Promise<PackageFile | null> {
  for (const name of await readdir(folder)) {
    const [, its, sha256 = ''] = NAME.exec(name) ?? [];
    if (its !== key) continue;
    const path = join(folder, name);
    const stamp = await stampOf(path);
    if ((await sha256OfFile(path)) === sha256) return { path, version, sha256, stamp };
    log.warn(`${path} was modified since it was built: rebuilding it`);
    await rm(path, { force: true });
  }
  return null;
}

function build(
  config: Config,
  { app, identity, timestampUrl }: Build,
  { path, version }: { path: string; version: string },
): Promise<string> {
  const args = ['build', '--app', app, '--version', version, '--out', path];
  if (!identity) return runInstaller(config, args);
  const variable = 'INSTALLER_IDENTITY_PASSWORD';
  const signing = ['--identity', identity.file, '--identity-password-env', variable];
  const timestamp = timestampUrl ? ['--timestamp-url', timestampUrl] : [];
  return runInstaller(config, [...args, ...signing, ...timestamp], {
    [variable]: identity.password,
  });
}

async function versionOf(app: string): Promise<string> {
  const path = join(app, 'Contents', 'Info.plist');
  const bytes = await withInstallerErrors(readFile(path));
  const { parseInfoPlist } = await import('#installer/bundle/info-plist.ts');
  const { CFBundleShortVersionString: version } = parseInfoPlist(bytes, path);
  if (version) return version;
  throw new InstallerError(`${path}: CFBundleShortVersionString is missing`);
}

/**
 * Returns the cache key, because a package of another app, signer or product must not be served.
 */
async function keyOf({ app }: Config, settings: Build, version: string): Promise<string> {
  const { identity, timestampUrl } = settings;
  const parts = [
    ownVersion,
    version,
    await withInstallerErrors(stampOf(settings.app)),
    identity && (await withInstallerErrors(stampOf(identity.file))),
    timestampUrl,
    app.name,
    app.bundleId,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** Removes packages of earlier versions of the app. Downloads in progress keep their open file. */
async function removeOthers(folder: string, path: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name));
  const outdated = names.map((name) => join(folder, name)).filter((file) => file !== path);
  await Promise.all(outdated.map((file) => rm(file, { force: true })));
  await clearDrafts(folder);
}

/** Wraps file system errors, whose messages contain the path that the operator needs. */
function withInstallerErrors<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: Error) => {
    throw new InstallerError(error.message, { cause: error });
  });
}

const PREFIX = 'build-';
/**
 * The age at which a temporary folder was left by a killed process. It is longer than any build
 * takes.
 */
const LEFT_BEHIND_MS = HOUR_MS;

/**
 * Runs work in a temporary folder that is removed afterwards, even if this process exits in the
 * meantime.
 */
export async function withDraftFolder<T>(
  folder: string,
  work: (draft: string) => Promise<T>,
): Promise<T> {
  const draft = await mkdtemp(join(folder, PREFIX));
  const clear = () => removeBusyFolder(draft);
  process.once('exit', clear);
  try {
    return await work(draft);
  } finally {
    process.off('exit', clear);
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Removes temporary folders of killed processes. Recent ones may belong to another process that is
 * building.
 */
export async function clearDrafts(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(PREFIX));
  for (const draft of names.map((name) => join(folder, name))) {
    const { mtimeMs } = await stat(draft).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs < Date.now() - LEFT_BEHIND_MS) await rm(draft, { recursive: true, force: true });
  }
}
