import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseInfoPlist } from '#installer/bundle/info-plist.ts';
import { InstallerError } from '#installer/installer-error.ts';
import type { Config, InstallerSettings } from '../config.ts';
import type { Context } from '../context.ts';
import { version as ownVersion } from '../startup/version.ts';
import { clearDrafts, inDraft } from './drafts.ts';
import { digestOf, stampOf } from './file-facts.ts';
import type { PackageFile } from './package-file.ts';
import { runInstaller } from './run-installer.ts';

type Build = Extract<InstallerSettings, { app: string }>;
type Needs = Pick<Context, 'config' | 'log'>;

/** Where it is kept, what it follows from, and the app's version. */
interface BuildFolder {
  folder: string;
  key: string;
  version: string;
}

const prepared = new Map<string, Promise<PackageFile>>();

/**
 * The package of the app as it is now. It is built once, however many ask, and kept in DATA_DIR
 * until the app, the identity or the product is another. One that was written to since is built
 * again for whoever asks next.
 */
export async function buildOnce(context: Needs, settings: Build): Promise<PackageFile> {
  const version = await versionOf(settings.app);
  const folder = join(context.config.dataDir, 'installer');
  const place = { folder, key: await keyOf(context.config, settings, version), version };
  const id = join(folder, place.key);
  const known = prepared.get(id) ?? prepare(context, settings, place);
  prepared.set(id, known);
  const forget = () => prepared.get(id) === known && prepared.delete(id);
  known.catch(forget);
  const file = await known;
  if ((await stampOf(file.path).catch(() => 'gone')) !== file.stamp) forget();
  return file;
}

async function prepare(context: Needs, settings: Build, place: BuildFolder): Promise<PackageFile> {
  const { folder, version } = place;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const kept = await findCachedPackage(context, place);
  if (kept) return kept;
  context.log.info(`building the installer package of ${settings.app} ${version}`);
  const file = await inDraft(folder, async (draft) => {
    const path = join(draft, 'package.pkg');
    await build(context.config, settings, { path, version });
    return keep(path, place);
  });
  await removeOthers(folder, file.path);
  return file;
}

/** A kept package's name says what it follows from, and the SHA-256 of its content. */
const NAME = /^([0-9a-f]{32})-([0-9a-f]{64})\.pkg$/;

async function keep(draft: string, { folder, key, version }: BuildFolder): Promise<PackageFile> {
  const sha256 = await digestOf(draft);
  const path = join(folder, `${key}-${sha256}.pkg`);
  await rename(draft, path);
  return { path, version, sha256, stamp: await stampOf(path) };
}

/** The package that was built before, if it still is what was built. */
async function findCachedPackage(
  { log }: Needs,
  { folder, key, version }: BuildFolder,
): Promise<PackageFile | null> {
  for (const name of await readdir(folder)) {
    const [, its, sha256 = ''] = NAME.exec(name) ?? [];
    if (its !== key) continue;
    const path = join(folder, name);
    const stamp = await stampOf(path);
    if ((await digestOf(path)) === sha256) return { path, version, sha256, stamp };
    log.warn(`${path} is not what was built: it is removed and built anew`);
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
  const bytes = await readable(readFile(path));
  const { CFBundleShortVersionString: version } = parseInfoPlist(bytes, path);
  if (version) return version;
  throw new InstallerError(`${path}: CFBundleShortVersionString is missing`);
}

/** What the package follows from, so that none of another app, signer or product is handed out. */
async function keyOf({ app }: Config, settings: Build, version: string): Promise<string> {
  const { identity, timestampUrl } = settings;
  const parts = [
    ownVersion,
    version,
    await readable(stampOf(settings.app)),
    identity && (await readable(stampOf(identity.file))),
    timestampUrl,
    app.name,
    app.bundleId,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** Of earlier versions of the app. Who is still downloading one keeps what was opened. */
async function removeOthers(folder: string, path: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name));
  const others = names.map((name) => join(folder, name)).filter((other) => other !== path);
  await Promise.all(others.map((other) => rm(other, { force: true })));
  await clearDrafts(folder);
}

/** What the system says of a path is what a user must know. */
function readable<T>(work: Promise<T>): Promise<T> {
  return work.catch((cause: Error) => {
    throw new InstallerError(cause.message, { cause });
  });
}
