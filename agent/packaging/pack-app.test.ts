import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Platform } from 'electron-builder';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { commonConfig, removeDefaultApp } from './builder-config.ts';
import { electronVersion } from './electron-app.ts';
import { packApp } from './pack-app.ts';
import { PackagingError } from './packaging-error.ts';
import { writeElectronForLinux } from './stand-in/electron-for-linux.ts';

const folder = mkdtempSync(join(tmpdir(), 'pack-app-'));
const emptyServer = createServer((_, response) => response.writeHead(404).end());
let host = '';

beforeAll(async () => {
  await once(emptyServer.listen(0, '127.0.0.1'), 'listening');
  host = `127.0.0.1:${(emptyServer.address() as AddressInfo).port}`;
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache'));
  vi.stubEnv('ELECTRON_MIRROR', `http://${host}/`);
  vi.stubEnv('ELECTRON_BUILDER_BINARIES_MIRROR', `http://${host}/`);
});
afterAll(() => {
  emptyServer.close();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Packs an empty app; a null `electronFolder` means that Electron is downloaded. */
function pack(electronFolder: string | null): Promise<void> {
  const app = join(folder, 'app');
  mkdirSync(app, { recursive: true });
  const about = { name: 'lookout', version: '1.0.0', description: 'x', author: 'x', main: 'm.js' };
  writeFileSync(join(app, 'package.json'), JSON.stringify(about));
  writeFileSync(join(app, 'm.js'), '0;\n');
  const staged = { app, buildResources: join(folder, 'resources') };
  return packApp({
    projectDir: app,
    targets: Platform.LINUX.createTarget('AppImage'),
    config: {
      ...commonConfig(staged, join(folder, 'output'), electronFolder),
      appId: 'com.example.lookout',
      toolsets: { appimage: '1.0.3' },
      afterExtract: removeDefaultApp,
    },
    publish: 'never',
  });
}

test('without Electron, the error names the file and the variable for a local copy', async () => {
  const file = `electron-v${electronVersion}-linux-${process.arch}.zip`;
  await expect(pack(null)).rejects.toThrow(
    new PackagingError(
      `${file} could not be downloaded from ${host} (status 404): allow access to this host, or set ELECTRON_OVERRIDE_DIST_PATH to the folder of an unpacked Electron`,
    ),
  );
}, 60_000);

test('without the AppImage tools, the error names their variable', async () => {
  const electronFolder = join(folder, 'electron');
  writeElectronForLinux(electronFolder, electronVersion);
  await expect(pack(electronFolder)).rejects.toThrow(
    /^appimage-\S+ could not be downloaded from \S+ \(status 404\): .* APPIMAGE_TOOLS_PATH to /,
  );
}, 60_000);
