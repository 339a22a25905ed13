import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type PlistValue } from 'plist';
import { recordingFiles } from '#agent/node/coding-agents/recording-files.ts';
import { hookFiles } from '#agent/node/tool-checks/hook-files.ts';
import { startTestControlPlane } from '../support/control-plane.ts';
import { readProfile } from '../support/device.ts';
import { pollUntil, startProgram } from '../support/processes.ts';
import { codingAgents } from './agents.ts';
import { startProvider } from './provider.ts';
import { tableOf } from './table.ts';
import { type Trial, tryAgent } from './try-agent.ts';

/*
 * The program on the device of `command.ts`: it runs a control plane, the stand-in for the
 * providers, the Gatehouse agent and the coding agents. Arguments: the folder of the installed
 * coding agents, a working folder, and their names.
 */

const [installed = '', folder = '', ...names] = process.argv.slice(2);
const tried = codingAgents.filter(({ name }) => names.includes(name));
const service = await startTestControlPlane('sqlite');
const provider = await startProvider();
const { config, root } = await readProfile(service);
const settings = join(folder, 'managed.plist');
writeFileSync(settings, build(config as PlistValue));
writeFileSync(join(folder, 'roots.pem'), root);
const agent = startProgram('agent/headless.ts', {
  MANAGED_PREFERENCES: settings,
  AGENT_TRUSTED_ROOTS: join(folder, 'roots.pem'),
  AGENT_STATE_DIR: join(folder, 'state'),
  AGENT_SYSTEM_ROOT: folder,
  AGENT_HARDWARE_ID: 'machine-of-the-test',
  AGENT_HEARTBEAT_SECONDS: '0.5',
  AGENT_FLOW_UPLOAD_SECONDS: '0.2',
  // A process may wait long for the processor while others start.
  AGENT_POLICY_CHECK_SECONDS: '30',
  AGENT_PROXY_PORT: 'off',
});
await agent.waitForOutput('enrolled as');
await service.byOwner.guard.putLayer({
  body: { layer: 'global', config: { coding_agents: 'tools', tool_checks: 'open' } },
});
await pollUntil(
  async () => (await service.byOwner.devices.listDevices({ query: {} })).results[0],
  (device) => device !== undefined && device.applied_version === device.config_version,
);
/** Whether the agent has written all of these files, according to its list. */
function areWritten(list: string, files: readonly { path: string }[]): boolean {
  const path = join(folder, 'state', list);
  if (!existsSync(path)) return false;
  const { files: written } = JSON.parse(readFileSync(path, 'utf8')) as { files: object[] };
  return (
    written.length === files.length && files.every((file) => existsSync(join(folder, file.path)))
  );
}
await pollUntil(
  () =>
    areWritten('coding-agents.json', recordingFiles('linux')) &&
    areWritten('tool-hooks.json', hookFiles('linux')),
  Boolean,
);

const home = join(folder, 'home');
mkdirSync(home);
const world = { service, provider, installed, folder, home };
const trials: Trial[] = [];
for (const { settings } of tried)
  if (settings) {
    const { path, text } = settings(join(folder, 'state/tools.sock'));
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
for (const one of tried) trials.push(await tryAgent(one, 'allowed', world));
await service.byOwner.policies.createPolicy({
  body: {
    name: 'No shell',
    category: 'tool-allowlist',
    rules: { blocked_tools: [...new Set(tried.map(({ tool }) => tool))] },
  },
});
const policies = join(folder, 'state/tool-policies.json');
await pollUntil(
  () => existsSync(policies) && readFileSync(policies, 'utf8').includes('No shell'),
  Boolean,
);
for (const one of tried) trials.push(await tryAgent(one, 'denied', world));
process.stdout.write(`${tableOf(tried, trials)}\n`);
for (const path of provider.unknown) process.stderr.write(`the stand-in has no ${path}\n`);
const [device] = (await service.byOwner.devices.listDevices({ query: {} })).results;
for (const line of device?.problems ?? []) process.stderr.write(`the device reports: ${line}\n`);
await agent.stop();
await provider.stop();
await service.stop();
process.exit(trials.every(({ faults }) => faults.length === 0) ? 0 : 1);
