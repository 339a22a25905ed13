/**
 * A reader such as `head` may close the pipe early. That is not an error; further output is dropped.
 */
export function allowClosedReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
