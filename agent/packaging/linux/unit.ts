import type { LinuxNames } from './names.ts';

/**
 * What the agent does as root, and nothing else: redirect connections and count their bytes
 * (NET_ADMIN), see them begin (NET_RAW), find whose they are (SYS_PTRACE, DAC_READ_SEARCH), look for AI
 * apps in every home (DAC_READ_SEARCH), keep its own connections out of capture (SETGID).
 */
export const capabilities = [
  'CAP_NET_ADMIN',
  'CAP_NET_RAW',
  'CAP_SYS_PTRACE',
  'CAP_DAC_READ_SEARCH',
  'CAP_SETGID',
];

/** Besides its state: the system's store of authorities, and the environment of shells. */
const writable = [
  '/usr/local/share/ca-certificates',
  '/etc/ssl',
  '/etc/pki/ca-trust',
  '/etc/profile.d',
];

/** Folders in /etc that systemd makes, with the managed settings of coding agents in them. */
export const configured = [
  'claude-code',
  'codex',
  'github-copilot',
  'gemini-cli',
  'qwen-code',
  'opencode',
  'cursor',
];

/**
 * The service. No filter of system calls: nft and update-ca-certificates run in it, and what they
 * call differs from system to system. Memory that is written and run is what V8 compiles into.
 */
export const serviceUnit = ({ appName, bundleId, command, settings }: LinuxNames): string =>
  `[Unit]
Description=${appName} agent
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=${command}
# One variable per line, such as LOG_LEVEL=debug.
EnvironmentFile=-${settings}/agent.env
StateDirectory=${bundleId}
StateDirectoryMode=0700
ConfigurationDirectory=${configured.join(' ')}
ConfigurationDirectoryMode=0755
# With the socket that every user's coding agents ask.
RuntimeDirectory=${bundleId}
RuntimeDirectoryMode=0755
UMask=0077
Restart=on-failure
RestartSec=5
TimeoutStopSec=30

CapabilityBoundingSet=${capabilities.join(' ')}
NoNewPrivileges=yes
ProtectSystem=strict
ReadWritePaths=${writable.map((path) => `-${path}`).join(' ')}
ProtectHome=read-only
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK AF_PACKET
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native

[Install]
WantedBy=multi-user.target
`;
