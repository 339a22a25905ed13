import { expect, test } from 'vitest';
import { asar } from '../testing/asar.ts';
import { elf, macho, universal } from '../testing/executables.ts';
import { infoPlist, json, makeRoot, program, type FakeFile } from '../testing/fixtures.ts';
import { scanInventory } from '../testing/scan.ts';

async function found(platform: 'linux' | 'darwin', files: Record<string, FakeFile>) {
  await using root = await makeRoot(files);
  const homes = [{ user: 'ada', dir: platform === 'linux' ? '/home/ada' : '/Users/ada' }];
  const { apps } = await scanInventory({ homes, root: root.dir, platform });
  return apps.map((app) => [app.kind, app.name, app.catalog_id, app.confidence]);
}

const bundle = (name: string, more: Record<string, FakeFile> = {}, id = `com.acme.${name}`) => ({
  [`/Applications/${name}.app/Contents/Info.plist`]: infoPlist({
    CFBundleIdentifier: id,
    CFBundleName: name,
  }),
  ...Object.fromEntries(
    Object.entries(more).map(([path, file]) => [
      `/Applications/${name}.app/Contents/${path}`,
      file,
    ]),
  ),
});
const packed = (fields: object) => asar({ 'package.json': json({ name: 'acme', ...fields }) });

test('a macOS app is recognized by its components', async () => {
  expect(
    await found('darwin', {
      ...bundle('Described', {
        'Resources/app.asar': packed({ description: 'AI chat for teams' }),
      }),
      ...bundle('Depends', { 'Resources/app.asar': packed({ dependencies: { openai: '^6' } }) }),
      ...bundle('Unpacked', { 'Resources/app/package.json': json({ name: 'acme-mcp' }) }),
      ...bundle('Engine', { 'Frameworks/libllama.1.dylib': '' }),
      ...bundle('Apple', { 'Resources/mlx-swift_Cmlx.bundle/default.metallib': '' }),
      ...bundle('Named', {}, 'ai.acme.mac'),
      ...bundle('Sidecar', { 'MacOS/Sidecar': program(), 'MacOS/opencode': program() }),
      ...bundle('Helper', { 'Resources/bin/llama-server-arm64': program() }),
      // These are not about AI, or cannot be read.
      ...bundle('Editor', { 'Resources/app.asar': packed({ description: 'A text editor' }) }),
      ...bundle('Broken', { 'Resources/app.asar': 'AI chat' }),
      ...bundle('Player', { 'Frameworks/libvlc.dylib': '', 'Frameworks/Sparkle.framework/x': '' }),
      ...bundle('Llamas', { 'Resources/llama.png': '' }),
      ...bundle('goosed', { 'MacOS/goosed': program() }),
      ...bundle('Copilot', {}, 'com.copilot.production'),
      ...bundle('Icons', { 'Resources/claude/icon.png': '' }),
    }),
  ).toEqual([
    ['desktop_app', 'Apple', null, 0.88],
    ['desktop_app', 'Depends', null, 0.76],
    ['desktop_app', 'Described', null, 0.76],
    ['desktop_app', 'Engine', null, 0.88],
    ['desktop_app', 'Helper', null, 0.88],
    ['desktop_app', 'Named', null, 0.76],
    ['desktop_app', 'Sidecar', null, 0.88],
    ['desktop_app', 'Unpacked', null, 0.76],
  ]);
});

const entry = (name: string, exec: string): Record<string, FakeFile> => ({
  [`/usr/share/applications/${name}.desktop`]: `[Desktop Entry]\nType=Application\nName=${name}\nExec="${exec}" %U\n`,
});

test('a Linux app is recognized by the package next to its program', async () => {
  expect(
    await found('linux', {
      ...entry('acme', '/opt/Acme/acme'),
      '/opt/Acme/acme': program(),
      '/opt/Acme/resources/app.asar': packed({ description: 'Desktop for AI agents' }),
      ...entry('editor', '/usr/bin/editor'),
      '/usr/bin/editor': { link: '../lib/editor/editor' },
      '/usr/lib/editor/editor': program(),
      '/usr/lib/editor/resources/app.asar': packed({ description: 'A text editor' }),
      ...entry('linked', '/usr/bin/linked'),
      '/usr/bin/linked': { link: '../lib/linked/linked' },
      '/usr/lib/linked/linked': program(),
      '/usr/lib/linked/resources/app.asar': packed({ dependencies: { ollama: '1' } }),
    }),
  ).toEqual([
    ['desktop_app', 'acme', null, 0.76],
    ['desktop_app', 'linked', null, 0.76],
  ]);
});

test('an app of the catalog is found if only its desktop entry is at the usual location', async () => {
  expect(
    await found('linux', {
      '/home/ada/tools/5ire': program(),
      '/home/ada/.local/share/applications/5ire.desktop':
        '[Desktop Entry]\nType=Application\nName=5ire\nComment=AI assistant and MCP client\nExec=/home/ada/tools/5ire\n',
    }),
  ).toEqual([['desktop_app', '5ire', '5ire', 0.76]]);
});

test('a folder full of archives is not searched completely', async () => {
  const files = Array.from({ length: 203 }, (_, i) =>
    bundle(`App${i}`, { 'Resources/app.asar': packed({ description: 'Plain' }) }),
  );
  await using root = await makeRoot(Object.assign({}, ...files) as Record<string, FakeFile>);
  const { problems } = await scanInventory({ homes: [], root: root.dir, platform: 'darwin' });
  expect(problems).toEqual(
    ['97', '98', '99'].map(
      (i) => `/Applications/App${i}.app: more than 200 archives of apps, this one was not examined`,
    ),
  );
});

const CALLS = 'const url = "https://api.openai.com/v1/chat/completions";';

test('an app is recognized by the address of a model in its code', async () => {
  const swift = macho('__cstring', Buffer.from(`\0${CALLS}\0`));
  expect(
    await found('darwin', {
      ...bundle('Bundled', {
        'Resources/app.asar': asar({
          'package.json': json({ name: 'acme', main: './out/main.js' }),
          'out/main.js': CALLS,
        }),
      }),
      ...bundle('Native', { 'MacOS/Native': swift }),
      ...bundle('Flutter', {
        'MacOS/Flutter': macho('__cstring', Buffer.from('main')),
        'Frameworks/App.framework/App': macho('__const', Buffer.from(CALLS)),
      }),
      ...bundle('Universal', { 'MacOS/Universal': universal(swift) }),
      // A list of hosts, a library and instructions are not calls.
      ...bundle('Firewall', {
        'MacOS/Firewall': macho('__cstring', Buffer.from('api.openai.com api.anthropic.com')),
      }),
      ...bundle('Library', {
        'Resources/app.asar': asar({
          'package.json': json({ name: 'acme', main: 'main.js' }),
          'main.js': 'start()',
          'node_modules/openai/index.js': CALLS,
        }),
      }),
      ...bundle('Code', { 'MacOS/Code': macho('__text', Buffer.from(CALLS)) }),
      ...bundle('Script', { 'MacOS/Script': CALLS }),
    }),
  ).toEqual([
    ['desktop_app', 'Bundled', null, 0.88],
    ['desktop_app', 'Flutter', null, 0.88],
    ['desktop_app', 'Native', null, 0.88],
    ['desktop_app', 'Universal', null, 0.88],
  ]);
});

test('a Linux app is recognized by the address of a model in its code', async () => {
  const rust = elf('.rodata', Buffer.from(CALLS));
  expect(
    await found('linux', {
      ...entry('acme', '/opt/Acme/acme'),
      '/opt/Acme/acme': { text: rust, mode: 0o755 },
      ...entry('flutter', '/opt/Flutter/flutter'),
      '/opt/Flutter/flutter': program(),
      '/opt/Flutter/lib/libapp.so': rust,
      ...entry('system', '/usr/lib/system/system'),
      '/usr/lib/system/system': { text: rust, mode: 0o755 },
    }),
  ).toEqual([
    ['desktop_app', 'acme', null, 0.88],
    ['desktop_app', 'flutter', null, 0.88],
  ]);
});

test('a macOS app is recognized by its reason for using the microphone', async () => {
  const bundleWith = (name: string, reason: string) => ({
    [`/Applications/${name}.app/Contents/Info.plist`]: infoPlist({
      CFBundleIdentifier: `com.acme.${name}`,
      NSMicrophoneUsageDescription: reason,
    }),
  });
  expect(
    await found('darwin', {
      ...bundleWith('Speaker', 'Acme records your voice for dictation.'),
      ...bundleWith('Meeting', 'Acme needs the microphone for calls.'),
    }),
  ).toEqual([['desktop_app', 'Speaker', null, 0.76]]);
});
