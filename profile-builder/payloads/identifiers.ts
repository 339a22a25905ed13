/** The transparent proxy, and the preference domain that carries the managed configuration. */
export const proxyExtension = (bundleId: string): string => `${bundleId}.proxymonitor`;

/** The content filter, which sees flows and lets them pass. */
export const filterExtension = (bundleId: string): string => `${bundleId}.flowmonitor`;
