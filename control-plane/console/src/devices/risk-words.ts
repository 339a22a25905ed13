import { t } from '@lingui/core/macro';

interface RiskWords {
  name: string;
  /** Explains the flag and the risk. */
  meaning: string;
}

const riskNames: Record<string, RiskWords> = {
  remote_fetch_exec: {
    name: t`runs downloaded code`,
    meaning: t`It downloads code and runs it: the server decides what is run.`,
  },
  unpinned_dependency: {
    name: t`unpinned version`,
    meaning: t`It runs the newest version of a package, even a compromised one.`,
  },
  mcp_shell_exec: {
    name: t`shell access`,
    meaning: t`An agent can run any command through it.`,
  },
  mcp_fs_write: {
    name: t`file write access`,
    meaning: t`An agent can write and delete files through it.`,
  },
  plaintext_secret: {
    name: t`plaintext secret`,
    meaning: t`Its configuration contains a key or password in plain text.`,
  },
  world_readable_config: {
    name: t`world-readable configuration`,
    meaning: t`Every user of the computer can read its configuration.`,
  },
  cleartext_endpoint: {
    name: t`unencrypted connection`,
    meaning: t`It sends data over the network without encryption.`,
  },
  bypass_permissions: {
    name: t`bypasses permissions`,
    meaning: t`It is configured to act without asking for permission.`,
  },
  hidden_unicode: {
    name: t`hidden text`,
    meaning: t`It contains characters that people do not see but models read.`,
  },
  broad_host_permissions: {
    name: t`access to all sites`,
    meaning: t`It can read and change every website.`,
  },
  runs_commands: {
    name: t`runs commands`,
    meaning: t`It runs commands, or instructs an agent to run them.`,
  },
  sends_data: {
    name: t`sends data`,
    meaning: t`It sends data to a server, or instructs an agent to send it.`,
  },
  injection_markers: {
    name: t`prompt injection`,
    meaning: t`It contains phrases that make models ignore their instructions.`,
  },
  native_messaging: {
    name: t`native messaging`,
    meaning: t`It exchanges messages with programs outside the browser.`,
  },
  debugger_access: {
    name: t`debugger access`,
    meaning: t`It can use the browser debugger: it sees and changes everything that pages do.`,
  },
  world_writable_file: {
    name: t`world-writable file`,
    meaning: t`Every user of the computer can change it.`,
  },
  not_searched_whole: {
    name: t`partly searched`,
    meaning: t`The text is too large: only its beginning and its end were searched for risks.`,
  },
  other_registry: {
    name: t`other registry`,
    meaning: t`Its package comes from another registry than the public one, or may do so.`,
  },
};

/** Name and meaning of a flag. A flag unknown to this console is split into words. */
export const riskWords = (flag: string): RiskWords =>
  riskNames[flag] ?? {
    name: flag.replaceAll(/[_-]+/g, ' '),
    meaning: t`The agent reports ${flag}.`,
  };

export const knownRisks: readonly string[] = Object.keys(riskNames);
