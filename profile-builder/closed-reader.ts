/**
 * A reader that has gone before the end, as `head` does after its lines, is no failure of a command:
 * what it prints from then on goes nowhere.
 */
export function allowClosedReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
