import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseInfoPlist } from '#installer/bundle/info-plist.ts';
import { InstallerError } from '#installer/installer-error.ts';
import type { Config, InstallerSettings } from '../../config.ts';
import type { Context } from '../../context.ts';
import { version as ownVersion } from '../../version.ts';
import { digestOf, stampOf } from './file-facts.ts';
import type { PackageFile } from './package-file.ts';
import { runInstaller } from './run-installer.ts';

type Build = Extract<InstallerSettings, { app: string }>;
type Needs = Pick<Context, 'config' | 'log'>;

const prepared = new Map<string, Promise<PackageFile>>();

/**
 * The package of the app as it is now. It is built once, however many ask, and kept in DATA_DIR
 * until the app, the identity or the product is another.
 */
export async function buildOnce(context: Needs, settings: Build): Promise<PackageFile> {
  const version = await versionOf(settings.app);
  const folder = join(context.config.dataDir, 'installer');
  const path = join(folder, `${await keyOf(context.config, settings, version)}.pkg`);
  const known = prepared.get(path) ?? prepare(context, settings, { folder, path, version });
  prepared.set(path, known);
  const forget = () => prepared.delete(path);
  known.catch(forget);
  const file = await known;
  if (await isThere(path)) return file;
  forget();
  return buildOnce(context, settings);
}

async function prepare(
  { config, log }: Needs,
  settings: Build,
  { folder, path, version }: { folder: string; path: string; version: string },
): Promise<PackageFile> {
  if (!(await isThere(path))) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    log.info(`building the installer package of ${settings.app} ${version}`);
    await build(config, settings, { path, version });
    await removeOthers(folder, path);
  }
  return { path, version, sha256: await digestOf(path) };
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
  const names = (await readdir(folder)).filter((name) => /^[0-9a-f]{32}\.pkg$/.test(name));
  const others = names.map((name) => join(folder, name)).filter((other) => other !== path);
  await Promise.all(others.map((other) => rm(other, { force: true })));
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** What the system says of a path is what a user must know. */
function readable<T>(work: Promise<T>): Promise<T> {
  return work.catch((cause: Error) => {
    throw new InstallerError(cause.message, { cause });
  });
}
