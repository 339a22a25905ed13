import { type AgentConfig, readAgentConfig } from './config.ts';
import { createLog, type Log } from './node/log.ts';
import { commonSubcommands, printText, readCommandLine, type Subcommand } from './tasks.ts';

/** The subcommand is not for macOS, where device management applies settings. */
const applyProfile: Subcommand = {
  name: 'apply-profile',
  parameters: 'FILE',
  summary: 'writes the settings of a configuration profile (.mobileconfig)',
  task: ([file, ...more]) =>
    file === undefined || file.startsWith('-') || more.length > 0
      ? null
      : async (config) => (await import('./apply-profile.ts')).applyProfile(config, file),
};

const request = readCommandLine(process.argv.slice(2), [
  ...commonSubcommands,
  ...(process.platform === 'linux' ? [applyProfile] : []),
]);
if (request.is === 'text') process.exitCode = await printText(request);
else {
  const read = readAgentConfig();
  if ('error' in read) fail(createLog({ level: 'error' }), read.error);
  else if (request.is === 'task') process.exitCode = await request.task(read.config);
  else await run(read.config, createLog({ level: read.config.logLevel }));
}

/** Runs the agent as a headless process until SIGINT or SIGTERM. */
async function run(config: AgentConfig, log: Log): Promise<void> {
  // Rejections without a handler arrive here too.
  process.on('uncaughtException', (error) => fail(log, `unexpected: ${String(error)}`));
  try {
    // Loaded late, because subcommands start faster without it.
    const { startAgent } = await import('./node/start-agent.ts');
    const agent = await startAgent({ ...config, log });
    log.info(`agent started, state in ${config.stateDir}`);
    let stopping = false;
    const stop = (): void => {
      if (stopping) process.exit(130);
      stopping = true;
      agent.stop().then(
        () => log.info('agent stopped'),
        (error: unknown) => fail(log, String(error)),
      );
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
    // A parent process with an IPC channel ends this process by closing the channel.
    process.on('disconnect', stop);
    process.channel?.unref();
  } catch (error) {
    fail(log, error instanceof Error ? error.message : String(error));
  }
}

function fail(log: Log, line: string): never {
  log.error(line);
  process.exit(1);
}
