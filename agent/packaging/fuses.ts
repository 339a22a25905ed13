import {
  flipFuses,
  type FuseConfig,
  FuseState,
  FuseV1Options,
  FuseVersion,
  getCurrentFuseWire,
} from '@electron/fuses';

/**
 * The fuses of Electron. They prevent the program from running other scripts with its privileges, from
 * being debugged, and from loading code outside the archive whose hash is in its Info.plist.
 */
const wire = {
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // Turns an invalid access of WebAssembly into an exception, without a check of each access.
  [FuseV1Options.WasmTrapHandlers]: true,
};

const config: FuseConfig = {
  version: FuseVersion.V1,
  // Fails if a newer Electron has a fuse that is not listed here.
  strictlyRequireAllFuses: true,
  ...wire,
};

/** Sets all fuses of an app bundle or of a Linux program. Call before it is signed. */
export const setFuses = (electron: string): Promise<number> => flipFuses(electron, config);

/** Reads the fuses by name: on, off, or another raw value. */
export async function readFuses(electron: string): Promise<Record<string, string>> {
  const found = await getCurrentFuseWire(electron);
  return Object.fromEntries(
    Object.entries(found)
      .filter(([index]) => /^\d+$/.test(index))
      .map(([index, state]) => [
        FuseV1Options[Number(index)] ?? index,
        stateNames.get(state as FuseState) ?? 'unknown',
      ]),
  );
}

const stateNames = new Map([
  [FuseState.ENABLE, 'on'],
  [FuseState.DISABLE, 'off'],
  [FuseState.REMOVED, 'removed'],
]);
