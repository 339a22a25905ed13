export interface Launcher {
  source: 'npm' | 'python' | 'image';
  /** Subcommands that start a package. Without this field, the program always starts one. */
  commands?: readonly (readonly string[])[];
  /** Options without a value. */
  flags: readonly string[];
  /** Options with a value. */
  valued?: readonly string[];
  /** Options whose value is the package. */
  named?: readonly string[];
}

const options = (words: string) => words.split(' ');

const npx: Launcher = {
  source: 'npm',
  flags: options('-y --yes -q --quiet -s --silent --prefer-offline --bun'),
  valued: ['--registry', '--cache'],
  named: ['-p', '--package'],
};

const uvx: Launcher = {
  source: 'python',
  flags: ['-q', '--quiet', '--isolated', '--refresh', '--native-tls', '--offline', '--no-cache'],
  valued: options(
    '-p --python --with -i --index --index-url --extra-index-url --default-index -f --find-links',
  ),
  named: ['--from', '--spec'],
};

const container: Launcher = {
  source: 'image',
  commands: [['run'], ['container', 'run']],
  flags: ['-i', '-t', '-it', '-ti', '--rm', '--init', '--interactive', '--tty', '--privileged'],
  valued: options(
    '-e -v -p -u -w -l -h -m --env --env-file --volume --mount --name --network --net --publish' +
      ' --user --workdir --label --pull --platform --entrypoint --add-host --memory --cpus' +
      ' --cap-add --cap-drop --security-opt --hostname --gpus --runtime --tmpfs',
  ),
};

/** Programs that fetch and run a package, with the syntax of their command lines. */
export const launchers: ReadonlyMap<string, Launcher> = new Map([
  ['npx', npx],
  ['bunx', npx],
  ['pnpx', npx],
  ['npm', { ...npx, commands: [['exec'], ['x']] }],
  ['pnpm', { ...npx, commands: [['dlx'], ['exec']] }],
  ['yarn', { ...npx, commands: [['dlx']] }],
  ['bun', { ...npx, commands: [['x']] }],
  [
    'deno',
    {
      source: 'npm',
      commands: [['run']],
      flags: options(
        '-A -q --allow-all --allow-net --allow-read --allow-env --allow-run --allow-write' +
          ' --allow-sys --allow-ffi --no-prompt --quiet',
      ),
    },
  ],
  ['uvx', uvx],
  ['uv', { ...uvx, commands: [['tool', 'run']] }],
  ['pipx', { ...uvx, commands: [['run']] }],
  ['docker', container],
  ['podman', container],
]);
