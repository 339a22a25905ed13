/**
 * The arguments of a command that takes no options. Help, an option or too many arguments end the
 * process with the usage.
 */
export function takeArguments({
  usage,
  most = Infinity,
}: {
  usage: string;
  most?: number;
}): string[] {
  const args = process.argv.slice(2);
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  if (args.length <= most && !args.some((arg) => arg.startsWith('-'))) return args;
  process.stderr.write(`not understood: ${args.join(' ')}\n${usage}\n`);
  process.exit(2);
}
