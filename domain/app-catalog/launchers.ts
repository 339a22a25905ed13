export interface Launcher {
  source: 'npm' | 'python' | 'image';
  /** Subcommands that start a package. Without this field, the program always starts one. */
  commands?: readonly (readonly string[])[];
  /** Options with a value that may precede the subcommand. */
  global?: readonly string[];
  /** Options without a value. */
  flags: readonly string[];
  /** Options with a value. */
  valued?: readonly string[];
  /** Options whose value is the package. */
  named?: readonly string[];
  /** Options whose value is a shell's command line that runs with the package. */
  lines?: readonly string[];
  /** Set if a package needs a prefix such as `npm:`, because other names are files. */
  prefixed?: true;
}

const options = (words: string) => words.split(' ');

const npx: Launcher = {
  source: 'npm',
  flags: options(
    '-y --yes -q --quiet -s --silent --offline --prefer-offline --prefer-online --bun',
  ),
  valued: ['--registry', '--cache', '--prefix', '--loglevel', '--userconfig'],
  named: ['-p', '--package'],
  lines: ['-c', '--call'],
};

const uvx: Launcher = {
  source: 'python',
  flags: options(
    '-q --quiet -v --verbose -n --no-cache -U --upgrade --isolated --refresh --reinstall --native-tls' +
      ' --offline --no-config --no-progress --no-env-file --managed-python --no-managed-python',
  ),
  valued: options(
    '-p --python --with -w --with-editable --with-requirements -i --index --index-url' +
      ' --extra-index-url --default-index -f --find-links --refresh-package --prerelease --env-file' +
      ' --directory --cache-dir --color --constraints --overrides --exclude-newer --index-strategy',
  ),
  named: ['--from', '--spec'],
};

const container: Launcher = {
  source: 'image',
  commands: [['run'], ['container', 'run']],
  global: ['-c', '--context', '-H', '--host', '--config', '-l', '--log-level', '--connection'],
  flags: options(
    '-i -t -d -it -ti -dit -itd --rm --init --interactive --tty --detach --privileged --read-only -q' +
      ' --quiet -P --publish-all --no-healthcheck',
  ),
  valued: options(
    '-e -v -p -u -w -l -h -m --env --env-file --volume --mount --name --network --net --publish' +
      ' --user --workdir --label --pull --platform --entrypoint --add-host --memory --cpus' +
      ' --cap-add --cap-drop --security-opt --hostname --gpus --runtime --tmpfs' +
      ' --device --dns --ipc --pid --shm-size --ulimit --restart --log-driver --log-opt --stop-timeout' +
      ' --group-add --userns --cgroupns --expose --link --annotation --volumes-from --cidfile --ip' +
      ' --network-alias --pids-limit --memory-swap --cpuset-cpus --secret',
  ),
};

const uvGlobal = ['--directory', '--project', '--config-file', '--cache-dir', '--color'];

/** `uv run` runs a command, a script or a module in an environment with further packages. */
export const uvRun = {
  global: uvGlobal,
  flags: [...uvx.flags, ...options('--no-project --frozen --locked --no-sync --no-dev --active')],
  valued: [
    ...(uvx.valued ?? []),
    ...options('--project --package --extra --group --env-file --only-group --no-group'),
  ],
  /** Options whose value is a Python module or a script. */
  modules: ['-m', '--module'],
  scripts: ['-s', '--script', '--gui-script'],
  /** The option whose value is a package to install. */
  with: '--with',
};

/** Programs that fetch and run a package, with the syntax of their command lines. */
export const launchers: ReadonlyMap<string, Launcher> = new Map([
  ['npx', npx],
  ['bunx', npx],
  ['pnpx', npx],
  ['npm', { ...npx, commands: [['exec'], ['x']], global: ['--prefix', '-C', '--registry'] }],
  ['pnpm', { ...npx, commands: [['dlx'], ['exec']], global: ['--dir', '-C'] }],
  ['yarn', { ...npx, commands: [['dlx']] }],
  ['bun', { ...npx, commands: [['x']] }],
  [
    'deno',
    {
      source: 'npm',
      commands: [['run']],
      prefixed: true,
      flags: options(
        '-A -q --allow-all --allow-net --allow-read --allow-env --allow-run --allow-write' +
          ' --allow-sys --allow-ffi --no-prompt --quiet',
      ),
    },
  ],
  ['uvx', uvx],
  ['uv', { ...uvx, commands: [['tool', 'run']], global: uvGlobal }],
  ['pipx', { ...uvx, commands: [['run']] }],
  ['docker', container],
  ['podman', container],
]);
