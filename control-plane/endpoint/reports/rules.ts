import type { AppReport } from '#contract/fleet.ts';

/**
 * What makes an app the same app at the next scan: a new version, or more evidence, is still
 * the same app. Paths may hold any character but NUL, so that joins the parts without doubt.
 */
export const appIdentity = (deviceId: string, app: AppReport): string =>
  [deviceId, app.kind, app.catalog_id ?? '', app.name, app.path, app.user ?? ''].join('\0');
