import { expect, onTestFinished, test, vi } from 'vitest';
import { openListeners } from './open-listeners.ts';

vi.mock('./transparent-linux.ts', () => ({
  openTransparentProxy: () => Promise.reject(new Error('the native module\ncannot be loaded')),
}));

test.runIf(process.platform === 'linux')(
  'a listener that cannot be opened is reported, and the others open',
  async () => {
    const problems: [string, string | null][] = [];
    const listeners = await openListeners({
      proxyPort: 0,
      socketPath: '',
      proxyMonitorPath: '',
      onConnection: () => undefined,
      onSearchFailure: () => undefined,
      onProbe: () => undefined,
      onProblem: (...problem) => problems.push(problem),
    });
    onTestFinished(() => Promise.all(listeners.map((one) => one.close())).then(() => undefined));
    expect(listeners.map(({ name }) => name)).toEqual(['explicit']);
    expect(problems).toContainEqual(['transparent', 'the native module cannot be loaded']);
  },
);
