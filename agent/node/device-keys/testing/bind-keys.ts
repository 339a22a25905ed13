/**
 * Binds the keys in a state folder, and kills itself at the given step: `bind-keys.ts FOLDER TCTI STEP`.
 * A step is before or after the replacement of a file.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { createTpmSealer } from '../tpm-sealer.ts';

const [folder = '', tcti = '', lastStep] = process.argv.slice(2);
let step = 0;
const killAtStep = (): void => {
  if (step === Number(lastStep)) process.kill(process.pid, 'SIGKILL');
  step += 1;
};
const { renameSync } = fs;
fs.renameSync = (...paths) => {
  killAtStep();
  renameSync(...paths);
  killAtStep();
};
syncBuiltinESMExports();

const { openKeyFiles } = await import('../key-files.ts');
const { createKeyBinding } = await import('../key-binding.ts');
const files = openKeyFiles(folder);
const binding = createKeyBinding({
  files,
  sealer: createTpmSealer(tcti),
  onUnlocked: () => undefined,
  onForeign: () => undefined,
  onStatus: () => undefined,
});
if (files.areLocked()) await binding.tryToUnlock(60_000);
else await binding.bind();
