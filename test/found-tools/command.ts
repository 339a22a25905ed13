import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { scanInventory } from '#agent/node/inventory/testing/scan.ts';
import { takeArguments } from '../support/take-arguments.ts';
import { installDebian, installNpm, installPython } from './install.ts';
import { debianTools, npmTools, pythonTools } from './tools.ts';

const USAGE = `usage: npm run found-tools [-- FOLDER]

Installs real AI tools into a folder of their own, without running any of them, and looks whether the
inventory finds each by what it is. Linux; needs the network.
FOLDER has them already, or is where they are installed.`;

const [given] = takeArguments({ usage: USAGE, most: 1 });
const root = given ? resolve(given) : mkdtempSync(join(tmpdir(), 'gatehouse-found-'));
const HOME = '/home/ada';
mkdirSync(join(root, HOME), { recursive: true });

let isGood = true;
try {
  const installed = [
    ...(await installNpm(join(root, HOME, '.npm-global'), npmTools)),
    ...(await installPython(join(root, HOME, '.local'), pythonTools)),
    ...(await installDebian(root, debianTools)),
  ];
  const { apps, problems } = await scanInventory({
    root,
    homes: [{ user: 'ada', dir: HOME }],
    platform: 'linux',
  });
  for (const { name, app, version } of installed) {
    const found = apps.find(({ catalog_id: id }) => id === app);
    const isRight = found !== undefined && (version === undefined || found.version === version);
    isGood &&= isRight;
    const what = found ? `${found.name} ${found.version} (${found.confidence})` : 'not found';
    console.log(`${isRight ? 'ok    ' : 'NOT OK'} ${name} ${version ?? ''}: ${what}`);
  }
  const expected = new Set(installed.map(({ app }) => app));
  const more = apps.filter(({ catalog_id: id }) => id === null || !expected.has(id));
  for (const app of more) console.log(`       also ${app.kind} ${app.name}: ${app.path}`);
  for (const problem of problems) console.log(`       ${problem}`);
  const count = installed.filter(({ app }) => apps.some(({ catalog_id: id }) => id === app)).length;
  console.log(`${count} of ${installed.length} found`);
} finally {
  if (!given) rmSync(root, { recursive: true, force: true });
}
process.exit(isGood ? 0 : 1);
