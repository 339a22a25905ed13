import { isRunner } from '#domain/app-catalog/runners.ts';
import { redactPath } from '../redact-arguments.ts';
import type { Launch } from './launch.ts';
import type { LaunchedPackage } from './launched-package.ts';

/** A package with its version and its registry, if it is another one. */
export function packageText({
  name,
  version,
  registry,
  source,
  isInstalled,
}: LaunchedPackage): string {
  // An interpreter does not reveal the registry of the package that it runs.
  const prefix = isInstalled ? `${source === 'python' ? 'pypi' : 'npm'}:` : '';
  return `${prefix}${name}${version === undefined ? '' : `@${version}`}${registry === undefined ? '' : ` from ${registry}`}`;
}

/** Program and package in one line that is safe to report. */
export const launchText = ({ program, package: launched }: Launch): string =>
  launched ? `${program} ${packageText(launched)}` : program;

/**
 * Like `launchText`, with what identifies a server: `npx mcp-remote to https://a.example`, `node
 * ~/x.js`, `python -m x`, `/opt/x/bin/server`. `home` is shown as `~`.
 */
export function serverText(launch: Launch, home: string | undefined): string {
  const { program, package: launched, target, file } = launch;
  if (target !== undefined) return `${launchText(launch)} to ${target}`;
  if (launched || file === undefined) return launchText(launch);
  if (file.startsWith('-m ')) return `${program} ${file}`;
  const path = redactPath(file, home);
  return isRunner(program) ? `${program} ${path}` : path;
}
