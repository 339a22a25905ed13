import { expect, test } from 'vitest';
import { CONFIG_LIMIT } from './config-file.ts';
import { json, makeRoot, program, type FakeFile } from './testing/fixtures.ts';
import { jar } from './testing/jar.ts';
import { scanInventory } from './testing/scan.ts';

const ADA = '/home/ada';
const BREW = '/home/linuxbrew/.linuxbrew';
const SITE = `${ADA}/.local/share/uv/tools/acme/lib/python3.12/site-packages`;

/** Repeats a filler, so that the whole file has just the maximum size that is read. */
const run = (text: string) => text.repeat(Math.floor((CONFIG_LIMIT - 1000) / text.length));

const half = run('a').slice(CONFIG_LIMIT / 2);

const cask = (text: string) => ({
  [`${BREW}/Caskroom/acme/.metadata/1.0/2026/Casks/acme.rb`]: `${text}\n  desc "Client for ChatGPT"\n  app "Acme.app"\n`,
});
const formula = (text: string) => ({
  [`${BREW}/Cellar/acme/1.2/.brew/acme.rb`]: `${text}\n  desc "Client for ChatGPT"\n`,
  [`${BREW}/Cellar/acme/1.2/INSTALL_RECEIPT.json`]: json({ installed_on_request: true }),
  [`${BREW}/Cellar/acme/1.2/bin/acme`]: program(),
});
const metadata = (lines: string) => ({
  [`${SITE}/acme-1.0.dist-info/METADATA`]: `Name: acme\nVersion: 1.0\n${lines}\n\nText`,
});
const entry = (lines: string) => ({
  '/usr/bin/acme': program(),
  '/usr/share/applications/acme.desktop': `[Desktop Entry]\nType=Application\nName=Acme\nExec=acme\n${lines}\n`,
});
const vimPlugin = (text: string) => ({
  [`${ADA}/.vim/bundle/acme/.git/config`]: `[core]\n${text}\n\turl = https://github.com/acme/gpt.nvim.git\n`,
});
const ideaPlugin = (element: string) => ({
  [`${ADA}/.local/share/JetBrains/IntelliJIdea2026.1/acme/lib/acme.jar`]: jar(
    'META-INF/plugin.xml',
    `<idea-plugin><id>acme</id><name>Acme AI Chat</name>${element}</idea-plugin>`,
  ),
});

// A rule that searches the rest of a line from each position would exceed the time limit.
test.each<[string, Record<string, FakeFile>, string]>([
  ['a cask with a long word', cask(run('a')), 'acme'],
  ['a formula with blank lines', formula(`${run('\n')}end`), 'acme'],
  ['a summary with blanks in it', metadata(`Summary: LLM${run(' ')}chat`), 'acme'],
  [
    'a dependency with a long name',
    metadata(`Summary: LLM chat\nRequires-Dist: ${half} extra ${half}`),
    'acme',
  ],
  ['a comment with blanks in it', entry(`Comment=AI chat${run(' ')}and more`), 'Acme'],
  [
    'a description of one word',
    {
      [`${ADA}/.npm-global/lib/node_modules/acme-llm/package.json`]: json({
        name: 'acme-llm',
        description: `AI ${run('no-')}`,
        bin: 'acme.js',
      }),
    },
    'acme-llm',
  ],
  ['a Git configuration with blank lines', vimPlugin(`${run('\n')}[core]`), 'acme/gpt.nvim'],
  ['a descriptor with blanks', ideaPlugin(`<version>${run(' ')}<br/></version>`), 'Acme AI Chat'],
])('%s of a megabyte is read to the end', async (_, files, name) => {
  await using root = await makeRoot(files);
  const homes = [{ user: 'ada', dir: ADA }];
  const { apps } = await scanInventory({ homes, root: root.dir, platform: 'linux' });
  expect(apps.map((app) => app.name)).toEqual([name]);
});
