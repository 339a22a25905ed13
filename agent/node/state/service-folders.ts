/** Returns the state folder of the service in Debian's package, which runs as root. */
export const serviceStateFolder = (bundleId: string): string => `/var/lib/${bundleId}`;

/** Returns the folder with the sockets of that service for all users, which systemd creates. */
export const serviceRunFolder = (bundleId: string): string => `/run/${bundleId}`;
