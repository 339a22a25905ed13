import { basename } from 'node:path';
import { build } from 'electron-builder';
import { PackagingError } from './packaging-error.ts';

/**
 * Packs an app with electron-builder.
 *
 * @throws PackagingError if a file cannot be downloaded, with the variable that names a local copy
 */
export async function packApp(options: Parameters<typeof build>[0]): Promise<void> {
  try {
    await build(options);
  } catch (error) {
    throw downloadError(error as RequestError) ?? error;
  }
}

/** The part of an HTTP client's error that names the request. */
interface RequestError extends Error {
  code?: string;
  options?: { url?: URL | string };
  response?: { statusCode?: number };
}

/** Returns null for an error of another kind. */
function downloadError(error: RequestError): PackagingError | null {
  const url = URL.parse(String(error.options?.url ?? ''));
  if (!url) return null;
  const file = basename(url.pathname);
  const status = error.response?.statusCode;
  const reason = status === undefined ? (error.code ?? error.message) : `status ${status}`;
  return new PackagingError(
    `${file} could not be downloaded from ${url.host} (${reason}): ${localCopy(file)}`,
    { cause: error },
  );
}

const localCopy = (file: string): string =>
  file.startsWith('electron-v')
    ? 'allow access to this host, or set ELECTRON_OVERRIDE_DIST_PATH to the folder of an unpacked Electron'
    : file.startsWith('appimage-')
      ? 'allow access to this host, or set APPIMAGE_TOOLS_PATH to the folder of these unpacked tools'
      : 'allow access to this host';
