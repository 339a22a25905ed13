interface RiskWords {
  name: string;
  /** What it means, and why somebody should look at it. */
  meaning: string;
}

const known: Record<string, RiskWords> = {
  remote_fetch_exec: {
    name: 'downloads and runs',
    meaning: 'It downloads something and runs it: what runs is whatever the address answers then.',
  },
  unpinned_dependency: {
    name: 'version not fixed',
    meaning:
      'It starts whichever version of a package is the newest, also one that was taken over.',
  },
  mcp_shell_exec: {
    name: 'runs commands',
    meaning: 'An agent can run any command through it.',
  },
  mcp_fs_write: {
    name: 'writes files',
    meaning: 'An agent can write and delete files through it.',
  },
  plaintext_secret: {
    name: 'secret in plain text',
    meaning: 'A key or password stands readable in its configuration.',
  },
  world_readable_config: {
    name: 'configuration open to all',
    meaning: 'Every user of the computer can read its configuration.',
  },
  cleartext_endpoint: {
    name: 'no encryption',
    meaning: 'It sends what it carries over a network without encryption.',
  },
  bypass_permissions: {
    name: 'asks for no permission',
    meaning: 'It is set to act without asking the person first.',
  },
  hidden_unicode: {
    name: 'hidden text',
    meaning: 'It holds characters that people do not see and models read.',
  },
  broad_host_permissions: {
    name: 'reads every site',
    meaning: 'It may read and change what is on every web site.',
  },
  runs_commands: {
    name: 'runs commands',
    meaning: 'It runs commands, or tells an agent to run them.',
  },
  sends_data: {
    name: 'sends data',
    meaning: 'It sends data to an address, or tells an agent to send it.',
  },
  injection_markers: {
    name: 'tries to steer models',
    meaning: 'It holds phrases by which texts make models ignore what they were told.',
  },
  native_messaging: {
    name: 'talks to programs',
    meaning: 'It exchanges messages with programs on the computer, outside of the browser.',
  },
  debugger_access: {
    name: 'debugs pages',
    meaning: 'It may use the debugger of the browser: it sees and changes all that pages do.',
  },
  world_writable_file: {
    name: 'file open to changes',
    meaning: 'Every user of the computer can change it.',
  },
  not_searched_whole: {
    name: 'not searched whole',
    meaning: 'The text is too large: only its beginning and its end were searched for risks.',
  },
  other_registry: {
    name: 'other registry',
    meaning: 'Its package comes from another registry than the public one, or may do so.',
  },
};

/** Flags of agents that are newer than this console read as the words that they are made of. */
export const riskWords = (flag: string): RiskWords =>
  known[flag] ?? { name: flag.replaceAll(/[_-]+/g, ' '), meaning: `The agent reports ${flag}.` };

export const knownRisks: readonly string[] = Object.keys(known);
