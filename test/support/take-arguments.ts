/**
 * Returns the arguments of a command without options. `--help`, an option or too many arguments
 * print the usage and end the process.
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
