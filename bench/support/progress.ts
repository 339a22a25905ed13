const WIDTH = 30;

/** One line on standard error that fills up; `done` counts from where an earlier run stopped. */
export function progressBar(total: number, before: number): (done: number) => void {
  const began = performance.now();
  let shown = '';
  return (done) => {
    const part = done / total;
    const seconds = (performance.now() - began) / 1000;
    const left = Math.round((seconds / Math.max(1, done - before)) * (total - done));
    const filled = Math.round(part * WIDTH);
    const text = `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${(part * 100).toFixed(1)} %, ${left} s left`;
    if (text === shown && done < total) return;
    shown = text;
    process.stderr.write(`\r${text}   ${done === total ? '\n' : ''}`);
  };
}
