import type { LinuxNames } from './names.ts';

/**
 * The capabilities of the service: to redirect connections and count their bytes (NET_ADMIN), to read
 * the start of connections (NET_RAW), to find their processes (SYS_PTRACE, DAC_READ_SEARCH), to find AI
 * apps in all home folders (DAC_READ_SEARCH), and to exclude its own connections from capture (SETGID).
 */
export const capabilities = [
  'CAP_NET_ADMIN',
  'CAP_NET_RAW',
  'CAP_SYS_PTRACE',
  'CAP_DAC_READ_SEARCH',
  'CAP_SETGID',
];

/** Writable folders beside the state folder: the trust store of the system, and `/etc/profile.d`. */
const writable = [
  '/usr/local/share/ca-certificates',
  '/etc/ssl',
  '/etc/pki/ca-trust',
  '/etc/profile.d',
];

/** Folders in /etc for the managed settings of coding agents; systemd creates them. */
export const configured = [
  'claude-code',
  'codex',
  'github-copilot',
  'gemini-cli',
  'qwen-code',
  'opencode',
  'goose',
  'cursor',
];

/**
 * The unit file of the service. It starts before the network is online, which takes up to two
 * minutes on a computer without one: connections until then would not be captured. Ordered after
 * network.target, it stops before the network does, so it can send its last reports. It does not
 * filter system calls, because those of nft and update-ca-certificates, which run in it, differ
 * between systems. It allows memory that is writable and executable, because V8 compiles at run
 * time. `PrivateDevices` would hide the TPM: of devices that are not pseudo devices, the TPM alone
 * can be opened, and the capabilities exclude making others.
 */
export const serviceUnit = ({ appName, bundleId, command, settings }: LinuxNames): string =>
  `[Unit]
Description=${appName} agent
After=network.target
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
# Has the socket to which the coding agents of all users connect.
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
DevicePolicy=closed
DeviceAllow=char-tpm rw
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
