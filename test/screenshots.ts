import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { launchChromium } from './support/chromium.ts';
import { signIn } from './support/console.ts';
import { API_KEY, OWNER } from './support/control-plane.ts';
import { freePort, built, startProgram } from './support/processes.ts';
import { makeFixtureHome } from './support/fixture-home.ts';
import { makeOtherHost } from './support/network-namespace.ts';
import buildPrograms from './support/processes.ts';
import { recordIncidents } from './support/recorded-incidents.ts';
import { recordWeek } from './support/recorded-week.ts';

/**
 * A program that takes the two screenshots in README.md from the running product. Requires Linux
 * and root.
 */
const images = join(import.meta.dirname, '../docs/images');
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-images-'));
const home = makeFixtureHome();
const host = makeOtherHost();
await host.serveTls();
const port = await freePort();
const url = `http://localhost:${port}`;
await buildPrograms();
const program = startProgram(
  built.local,
  {
    DATA_DIR: folder,
    PORT: String(port),
    DEVICE_PORT: String(await freePort()),
    BOOTSTRAP_API_KEY: API_KEY,
    BOOTSTRAP_ADMIN_EMAIL: OWNER.email,
    BOOTSTRAP_ADMIN_PASSWORD: OWNER.password,
  },
  home.within,
);
try {
  await program.waitForOutput('enrolled as');
  await connect('api.openai.com', 5000, 1200);
  await connect('api.anthropic.com', 90_000);
  await connect('chatgpt.com', 700, 20_000);
  await connect('gitlab.example.test', 3000);
  const client = createClient(contract, {
    baseUrl: url,
    headers: () => ({ 'X-Svc-Key': API_KEY }),
  });
  await recordWeek(client, Date.now());
  await recordIncidents(client, Date.now());
  mkdirSync(images, { recursive: true });
  await takePictures();
} finally {
  await program.stop();
  host.remove();
  home.remove();
  rmSync(folder, { recursive: true, force: true });
}

async function connect(name: string, ...sizes: number[]): Promise<void> {
  const client = join(import.meta.dirname, 'support/tls-client.ts');
  await once(
    spawn(process.execPath, [client, host.address, name, '1500', ...sizes.map(String)]),
    'exit',
  );
}

async function takePictures(): Promise<void> {
  const browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 1280, height: 760 } });
  await page.goto(url);
  await signIn(page, OWNER);
  await page.getByText('Online').first().waitFor();
  for (const [name, shown] of [
    ['flows', 'chatgpt.com'],
    ['incidents', 'Run exceeded timeout'],
  ] as const) {
    await page.goto(`${url}/${name}`);
    await page.getByText(shown).first().waitFor();
    // Waits until new rows have faded in.
    await page.waitForTimeout(800);
    await page.screenshot({ path: join(images, `${name}.png`) });
  }
  await browser.close();
}
