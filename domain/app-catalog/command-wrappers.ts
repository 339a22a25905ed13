/** A program that runs the command in its arguments. */
export interface Wrapper {
  /** Subcommands that run a command. Without this field, the program always runs one. */
  commands?: readonly (readonly string[])[];
  /** Options without a value. */
  flags?: readonly string[];
  /** Options with a value. */
  valued?: readonly string[];
  /** The number of arguments before the command, such as the duration of `timeout`. */
  leading?: number;
  /** Words of which one always precedes the command. */
  separators?: readonly string[];
  /** Options whose value is a command line in one word. */
  lines?: readonly string[];
}

const list = (text: string) => text.split(' ');

const afterDashes = (...commands: string[]): Wrapper => ({
  commands: commands.map((command) => [command]),
  separators: ['--'],
  lines: ['-c', '--command'],
});
const run: Wrapper = { commands: [['run']] };
const conda: Wrapper = {
  commands: [['run']],
  flags: ['--no-capture-output', '--live-stream'],
  valued: ['-n', '--name', '-p', '--prefix', '--cwd'],
};

/**
 * Programs that run another command in a changed environment: as another user, with variables or
 * secrets, with other versions of tools, in a virtual environment.
 *
 * Sources: the manual pages of the programs; https://developer.1password.com/docs/cli/reference,
 * https://docs.doppler.com/docs/cli, https://mise.jdx.dev/cli/exec.html,
 * https://docs.conda.io/projects/conda/en/stable/commands/run.html.
 */
export const commandWrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  [
    'sudo',
    {
      flags: list('-E -H -n -S -b -i -s -A -k --preserve-env'),
      valued: list('-u -g -p -h -C -T -r -t -U -D --user --group --chdir'),
    },
  ],
  ['doas', { flags: ['-n'], valued: ['-u', '-C'] }],
  [
    'env',
    {
      flags: ['-i', '-', '--ignore-environment', '-v'],
      valued: ['-u', '--unset', '-C', '--chdir'],
      lines: ['-S', '--split-string'],
    },
  ],
  ['cross-env', {}],
  ['exec', { flags: ['-c', '-l'], valued: ['-a'] }],
  ['command', { flags: ['-p'] }],
  ['nohup', {}],
  ['setsid', { flags: ['-f', '-w', '-c'] }],
  ['time', { flags: ['-p', '-l'] }],
  ['nice', { valued: ['-n', '--adjustment'] }],
  ['ionice', { valued: ['-c', '-n'] }],
  ['stdbuf', { valued: ['-i', '-o', '-e'] }],
  [
    'timeout',
    {
      flags: ['--foreground', '--preserve-status', '-v'],
      valued: ['-k', '-s', '--kill-after', '--signal'],
      leading: 1,
    },
  ],
  ['caffeinate', { flags: list('-d -i -m -s -u -di -is -dims'), valued: ['-t', '-w'] }],
  ['arch', { flags: ['-arm64', '-x86_64'] }],
  ['xvfb-run', { flags: ['-a', '--auto-servernum'] }],
  ['flatpak-spawn', { flags: ['--host'] }],
  ['wsl', { flags: ['-e', '--exec'], valued: ['-d', '--distribution', '-u', '--user'] }],
  ['cmd', { separators: ['/c', '/C', '/k', '/K'] }],
  ['op', afterDashes('run')],
  ['doppler', afterDashes('run')],
  ['infisical', afterDashes('run')],
  ['dotenvx', afterDashes('run')],
  ['teller', afterDashes('run')],
  ['chamber', afterDashes('exec')],
  ['aws-vault', afterDashes('exec')],
  ['mise', afterDashes('exec', 'x')],
  ['gatehouse-agent', afterDashes('mcp')],
  ['dotenv', { commands: [['run'], []], valued: ['-e', '-f'] }],
  ['direnv', { commands: [['exec']], leading: 1 }],
  ['asdf', { commands: [['exec']] }],
  ['fnm', { commands: [['exec']], valued: ['--using'] }],
  ['volta', { commands: [['run']], valued: ['--node', '--npm', '--yarn', '--pnpm'] }],
  ['poetry', run],
  ['pipenv', run],
  ['pdm', run],
  ['rye', run],
  ['hatch', run],
  ['pixi', run],
  ['conda', conda],
  ['mamba', conda],
  ['micromamba', conda],
  ['bundle', { commands: [['exec']] }],
  ['nix', { commands: [['develop'], ['shell']], separators: ['-c', '--command'] }],
  ['nix-shell', { separators: [], lines: ['--run', '--command'] }],
]);

/** Packages whose program is a wrapper with another name. */
export const wrapperPackages: ReadonlyMap<string, string> = new Map([
  ['dotenv-cli', 'dotenv'],
  ['@dotenvx/dotenvx', 'dotenvx'],
]);
