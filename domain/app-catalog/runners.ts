import { commandWrappers } from './command-wrappers.ts';
import { launchers } from './launchers.ts';

export const shells: ReadonlySet<string> = new Set(
  'sh bash dash zsh fish ksh pwsh powershell cmd'.split(' '),
);

const others: ReadonlySet<string> = new Set(
  (
    'node nodejs tsx ts-node mcp fastmcp ruby perl php java dotnet rscript osascript go cargo make' +
    ' just ssh'
  ).split(' '),
);

/** Whether a program only runs what its arguments name, so that its name identifies nothing. */
export const isRunner = (program: string): boolean =>
  shells.has(program) ||
  others.has(program) ||
  launchers.has(program) ||
  commandWrappers.has(program) ||
  /^(python|pypy)[\d.]*t?$/i.test(program);
