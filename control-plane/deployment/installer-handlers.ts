import type { deploymentRoutes } from '#contract/deployment.ts';
import { ApiError } from '#contract/errors.ts';
import { InstallerError } from '#installer/installer-error.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../handler.ts';
import { namesTag } from '../http/etag.ts';
import type { ByAdmin } from './enroll-key.ts';
import { readVerified } from './file-facts.ts';
import { type OpenPackage, openPackage } from './open-package.ts';

type InstallerRoutes = Pick<typeof deploymentRoutes, 'getInstaller' | 'downloadInstaller'>;

export const installerHandlers: Handlers<InstallerRoutes> = {
  async getInstaller(context, request) {
    const pkg = await packageOf(context);
    const tag = `"${pkg.sha256}"`;
    request.setHeader('ETag', tag);
    // The client already has this version.
    if (namesTag(request.header('if-none-match'), tag)) {
      await pkg.file.close();
      return null;
    }
    return sendPackage(context, request, pkg);
  },

  downloadInstaller: async (context, request) =>
    sendPackage(context, request, await packageOf(context)),
};

/**
 * Sends the package. It was opened before the headers are sent, so that a replacement cannot mix
 * two files.
 */
async function sendPackage(
  context: Context,
  request: ByAdmin,
  { file, bytes, version, sha256 }: OpenPackage,
) {
  const name = `${context.config.app.name}-Setup-${version}.pkg`;
  try {
    await withAudit(context, request, (_, audit) =>
      audit({
        action: 'installer.download',
        resource_type: 'installer',
        resource_id: version,
        metadata: { name, sha256, bytes },
      }),
    );
    const pieces = readVerified(file, { bytes, sha256 });
    const close = () => file.close();
    return { type: 'application/octet-stream' as const, name, bytes, pieces, close };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Opens the package. Configuration errors are meant for the operator: the log line may contain
 * paths, but the response does not.
 */
async function packageOf(context: Context): Promise<OpenPackage> {
  const pkg = await openPackage(context).catch((error: unknown) => {
    if (!(error instanceof InstallerError)) throw error;
    context.log.error(`the installer package is unavailable: ${error.message}`);
    throw new ApiError(
      'internal_error',
      'the configured installer package is unavailable: see the log',
      {},
      { cause: error },
    );
  });
  if (pkg) return pkg;
  throw new ApiError(
    'not_configured',
    'no installer package is configured: set INSTALLER_PACKAGE to a finished package, ' +
      'or INSTALLER_APP to an app bundle to build it from',
  );
}
