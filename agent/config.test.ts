import { expect, test } from 'vitest';
import { readAgentConfig } from './config.ts';

test('every setting has a default', () => {
  const read = readAgentConfig({ AGENT_STATE_DIR: '/var/lib/agent', AGENT_TRUSTED_ROOTS: '' });
  expect(read).toEqual({
    config: {
      bundleId: 'com.gatehouse.agent',
      managedPreferences: '/Library/Managed Preferences/com.gatehouse.agent.proxymonitor.plist',
      stateDir: '/var/lib/agent',
      extensionFolder: '/var/run/com.gatehouse.agent',
      extensionsProgram: null,
      trustedRootsFile: null,
      hardwareId: null,
      logLevel: 'info',
      inventorySeconds: 3600,
      heartbeatSeconds: 30,
      flowUploadSeconds: 2,
      policyCheckSeconds: 2,
      proxyPort: 9877,
      otlpPort: 9878,
      systemTrust: false,
      systemRoot: null,
      toolPreferences: null,
      toolSocket: '/var/lib/agent/tools.sock',
      tpm: process.platform === 'linux' ? '/dev/tpmrm0' : null,
    },
  });
});

test("without a state folder, the system's default folder with the bundle id is used", () => {
  const read = readAgentConfig({ APP_BUNDLE_ID: 'com.example.watch' });
  expect(read).toMatchObject({
    config: {
      stateDir: expect.stringMatching(/^\/.*com\.example\.watch$/) as string,
      extensionFolder: '/var/run/com.example.watch',
      managedPreferences: '/Library/Managed Preferences/com.example.watch.proxymonitor.plist',
    },
  });
});

test.each([
  [{}, null],
  [{ AGENT_EXTENSIONS: 'off' }, null],
  [{ AGENT_EXTENSIONS: '/x/gatehouse-extensions' }, '/x/gatehouse-extensions'],
])('with %j and a state folder of its own, the program is %j', (set, extensionsProgram) => {
  expect(readAgentConfig({ AGENT_STATE_DIR: '/s', ...set })).toMatchObject({
    config: { extensionsProgram },
  });
});

test.each([
  ['8123', 8123],
  ['0', 0],
  ['off', null],
])('AGENT_PROXY_PORT=%s', (value, proxyPort) => {
  expect(readAgentConfig({ AGENT_STATE_DIR: '/s', AGENT_PROXY_PORT: value })).toMatchObject({
    config: { proxyPort },
  });
});

test.runIf(process.platform === 'linux').each([
  ['off', null],
  ['/dev/tpmrm1', '/dev/tpmrm1'],
  ['swtpm:host=127.0.0.1,port=2321', 'swtpm:host=127.0.0.1,port=2321'],
])('AGENT_TPM=%s', (value, tpm) => {
  expect(readAgentConfig({ AGENT_STATE_DIR: '/s', AGENT_TPM: value })).toMatchObject({
    config: { tpm },
  });
});

test.each([
  [{}, true],
  [{ AGENT_SYSTEM_TRUST: 'off' }, false],
  [{ AGENT_STATE_DIR: '/s' }, false],
  [{ AGENT_STATE_DIR: '/s', AGENT_SYSTEM_TRUST: 'on' }, true],
])("with %j, the agent may change the system's trust store: %s", (env, systemTrust) => {
  expect(readAgentConfig(env)).toMatchObject({ config: { systemTrust } });
});

test.each([
  [{ AGENT_SYSTEM_TRUST: 'no' }, 'AGENT_SYSTEM_TRUST: '],
  [{ AGENT_TPM: 'on' }, 'AGENT_TPM: expected off, the path of a device'],
  [{ MANAGED_PREFERENCES: 'here.plist' }, 'MANAGED_PREFERENCES: expected an absolute path'],
  [{ AGENT_STATE_DIR: './state' }, 'AGENT_STATE_DIR: expected an absolute path'],
  [{ APP_BUNDLE_ID: '../x' }, 'APP_BUNDLE_ID: expected a bundle id like com.example.agent'],
  [{ AGENT_TRUSTED_ROOTS: 'ca.pem' }, 'AGENT_TRUSTED_ROOTS: expected an absolute path'],
  [{ AGENT_HARDWARE_ID: 'short' }, 'AGENT_HARDWARE_ID: '],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: '],
  [{ AGENT_HEARTBEAT_SECONDS: '0' }, 'AGENT_HEARTBEAT_SECONDS: '],
  [{ AGENT_INVENTORY_SECONDS: 'hourly' }, 'AGENT_INVENTORY_SECONDS: '],
  [{ AGENT_FLOW_UPLOAD_SECONDS: '-1' }, 'AGENT_FLOW_UPLOAD_SECONDS: '],
  [{ AGENT_POLICY_CHECK_SECONDS: '31' }, 'AGENT_POLICY_CHECK_SECONDS: '],
  [{ AGENT_PROXY_PORT: '65536' }, 'AGENT_PROXY_PORT: '],
  [{ AGENT_PROXY_PORT: 'on' }, 'AGENT_PROXY_PORT: '],
])('%o is refused in one line', (env, line) => {
  const read = readAgentConfig(env);
  expect(read).toEqual({ error: expect.stringContaining(line) as string });
  expect((read as { error: string }).error).not.toContain('\n');
});
