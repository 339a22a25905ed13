import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostOptions } from './host.ts';
import { type Host, startHost } from './start-host.ts';

export interface TestInstallation extends AsyncDisposable {
  preferences: string;
  stateDir: string;
  launch(options?: Partial<HostOptions>, env?: Record<string, string>): Host;
  /** Starts the app; resolves once the agent is running. */
  start(options?: Partial<HostOptions>, env?: Record<string, string>): Promise<Host>;
  startWithWindow(options?: Partial<HostOptions>, env?: Record<string, string>): Promise<Host>;
}

/** A state folder for one device on which the built app can be started; disposing it ends all. */
export function createTestInstallation(built: string): TestInstallation {
  const folder = mkdtempSync(join(tmpdir(), 'electron-state-'));
  const hosts: Host[] = [];
  const place: TestInstallation = {
    preferences: join(folder, 'managed.plist'),
    stateDir: join(folder, 'state'),
    launch(options = {}, env = {}) {
      const own = {
        MANAGED_PREFERENCES: place.preferences,
        AGENT_STATE_DIR: place.stateDir,
        AGENT_HARDWARE_ID: 'test-hardware',
        AGENT_SYSTEM_TRUST: 'off',
      };
      const host = startHost(join(built, 'main.js'), { ...own, ...env }, options);
      hosts.push(host);
      return host;
    },
    async start(options, env) {
      const host = place.launch(options, env);
      await host.logged(/agent started/);
      return host;
    },
    async startWithWindow(options, env) {
      const host = await place.start(options, env);
      await host.perform({ do: 'choose', label: 'Show what is observed' });
      return host;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(hosts.map((host) => host.kill()));
      rmSync(folder, { recursive: true });
    },
  };
  return place;
}
