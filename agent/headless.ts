import { type AgentConfig, readAgentConfig } from './config.ts';
import { createLog, type Log } from './node/log.ts';
import { startAgent } from './node/runtime.ts';
import { createSystemTrust } from './node/system-trust/system-trust.ts';

const read = readAgentConfig();
if (process.argv[2] === 'remove-trust') await removeTrust(createLog({ level: 'info' }));
else if ('error' in read) fail(createLog({ level: 'error' }), read.error);
else await run(read.config, createLog({ level: read.config.logLevel }));

/** The agent as a process of its own: runs until SIGINT or SIGTERM. */
async function run(config: AgentConfig, log: Log): Promise<void> {
  // Rejections without a handler arrive here too.
  process.on('uncaughtException', (error) => fail(log, `unexpected: ${String(error)}`));
  try {
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
    // Whoever started this process with a channel ends it by ending the channel.
    process.on('disconnect', stop);
    process.channel?.unref();
  } catch (error) {
    fail(log, error instanceof Error ? error.message : String(error));
  }
}

/** For whoever removes the agent: the system trusts nothing any more that it installed. */
async function removeTrust(log: Log): Promise<void> {
  try {
    await createSystemTrust().set([]);
    log.info('the system trusts no root of the agent');
  } catch (error) {
    fail(log, (error as Error).message);
  }
}

function fail(log: Log, line: string): never {
  log.error(line);
  process.exit(1);
}
