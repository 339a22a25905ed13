/** Where the service of Debian's package, which runs as root, keeps its state. */
export const serviceStateFolder = (bundleId: string): string => `/var/lib/${bundleId}`;

/** Where that service has its sockets for all users; systemd makes it. */
export const serviceRunFolder = (bundleId: string): string => `/run/${bundleId}`;

/** The socket at which hooks and gateways of coding agents ask. */
export const TOOL_SOCKET_NAME = 'tools.sock';
