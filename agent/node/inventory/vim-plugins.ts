import { vimPluginIsAboutAi } from '#agent/core/recognition/description/editor-extension.ts';
import { displayName } from '#agent/core/display.ts';
import { editorExtensions } from '#domain/app-catalog/editor-extensions.ts';
import { CONFIG_LIMIT } from './config-file.ts';
import { expand } from './expand.ts';
import type { Finding } from './finding.ts';
import type { Home, Scan } from './platform-paths/platform-paths.ts';
import { readmeBeginning } from './readme.ts';

const byRepository = new Map(
  editorExtensions.flatMap((entry) => (entry.neovim ?? []).map((name) => [name, entry])),
);

/** Folders of plugins of lazy.nvim, packer, vim-plug and the editors' own packages. */
const pluginDirs = [
  '.local/share/*/lazy/*',
  '.local/share/nvim/site/pack/*/start/*',
  '.local/share/nvim/site/pack/*/opt/*',
  '.local/share/nvim/plugged/*',
  '.config/nvim/pack/*/start/*',
  '.config/nvim/pack/*/opt/*',
  '.config/nvim/plugged/*',
  '.vim/pack/*/start/*',
  '.vim/pack/*/opt/*',
  '.vim/plugged/*',
  '.vim/bundle/*',
];

async function textOf(scan: Scan, path: string): Promise<string> {
  const content = await scan.tree.read(path, CONFIG_LIMIT);
  return content && 'bytes' in content ? content.bytes.toString('utf8') : '';
}

/** Reads the git configuration. In a submodule, `.git` is a file with the path of the folder. */
async function gitConfig(scan: Scan, dir: string): Promise<string> {
  const own = await textOf(scan, `${dir}/.git/config`);
  if (own !== '') return own;
  const [, folder] = /^gitdir: (\S.*)$/m.exec(await textOf(scan, `${dir}/.git`)) ?? [];
  if (folder === undefined) return '';
  return textOf(scan, `${folder.startsWith('/') ? folder : `${dir}/${folder}`}/config`);
}

/** `https://github.com/a/b.git`, `git@github.com:a/b`: the repository that was cloned. */
function repositoryIn(config: string): string | undefined {
  const [, name] =
    /^[ \t]*url[ \t]*=[ \t]*\S*github\.com[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?[ \t]*$/m.exec(config) ??
    [];
  return name?.toLowerCase();
}

/** A plugin's name is often uninformative; the first sentences of its README are not. */
const readmeNamesAi = async (scan: Scan, dir: string, repository: string): Promise<boolean> =>
  vimPluginIsAboutAi(repository, await readmeBeginning(scan, dir));

async function inspect(scan: Scan, dir: string, home: Home): Promise<Finding[]> {
  const repository = repositoryIn(await gitConfig(scan, dir));
  const entry = repository === undefined ? undefined : byRepository.get(repository);
  if (repository === undefined) return [];
  const isNamed = entry !== undefined || vimPluginIsAboutAi(repository);
  if (!isNamed && !(await readmeNamesAi(scan, dir, repository))) return [];
  return [
    {
      kind: 'editor_extension',
      name: entry?.name ?? displayName(repository),
      catalogId: entry?.id ?? null,
      version: null,
      path: dir,
      user: home.user,
      signals: [
        { kind: 'location', text: `plugin folder ${dir}` },
        isNamed
          ? { kind: 'manifest', text: `cloned from ${repository} on GitHub` }
          : { kind: 'description', text: 'its README says that it is about AI' },
      ],
      notes: isNamed ? [] : [`cloned from ${repository} on GitHub`],
    },
  ];
}

/** AI plugins of Vim and Neovim. */
export async function findVimPlugins(scan: Scan): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const home of scan.homes)
    for (const pattern of pluginDirs)
      for (const dir of await expand(scan.tree, `${home.dir}/${pattern}`)) {
        scan.checkpoint();
        found.push(...(await inspect(scan, dir, home)));
      }

  return found;
}
