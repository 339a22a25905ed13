interface RiskWords {
  name: string;
  /** Explains the flag and its risk. */
  meaning: string;
}

const riskNames: Record<string, RiskWords> = {
  remote_fetch_exec: {
    name: 'runs downloaded code',
    meaning: 'It downloads code and runs it: the server decides what is run.',
  },
  unpinned_dependency: {
    name: 'unpinned version',
    meaning: 'It runs the newest version of a package, even a compromised one.',
  },
  mcp_shell_exec: {
    name: 'shell access',
    meaning: 'An agent can run any command through it.',
  },
  mcp_fs_write: {
    name: 'file write access',
    meaning: 'An agent can write and delete files through it.',
  },
  plaintext_secret: {
    name: 'plaintext secret',
    meaning: 'Its configuration contains a key or password in plain text.',
  },
  world_readable_config: {
    name: 'world-readable configuration',
    meaning: 'Every user of the computer can read its configuration.',
  },
  cleartext_endpoint: {
    name: 'unencrypted connection',
    meaning: 'It sends data over the network without encryption.',
  },
  bypass_permissions: {
    name: 'bypasses permissions',
    meaning: 'It is configured to act without asking for permission.',
  },
  hidden_unicode: {
    name: 'hidden text',
    meaning: 'It contains characters that people do not see but models read.',
  },
  broad_host_permissions: {
    name: 'access to all sites',
    meaning: 'It can read and change every website.',
  },
  runs_commands: {
    name: 'runs commands',
    meaning: 'It runs commands, or instructs an agent to run them.',
  },
  sends_data: {
    name: 'sends data',
    meaning: 'It sends data to a server, or instructs an agent to send it.',
  },
  injection_markers: {
    name: 'prompt injection',
    meaning: 'It contains phrases that make models ignore their instructions.',
  },
  native_messaging: {
    name: 'native messaging',
    meaning: 'It exchanges messages with programs outside the browser.',
  },
  debugger_access: {
    name: 'debugger access',
    meaning: 'It can use the browser debugger: it sees and changes everything that pages do.',
  },
  world_writable_file: {
    name: 'world-writable file',
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

/** Name and meaning of a flag. A flag that this console does not know is split into its words. */
export const riskWords = (flag: string): RiskWords =>
  riskNames[flag] ?? {
    name: flag.replaceAll(/[_-]+/g, ' '),
    meaning: `The agent reports ${flag}.`,
  };

export const knownRisks: readonly string[] = Object.keys(riskNames);
