/** The transparent proxy, and the preference domain with the managed configuration. */
export const proxyExtension = (bundleId: string): string => `${bundleId}.proxymonitor`;

/** The content filter, which observes flows and lets them pass. */
export const filterExtension = (bundleId: string): string => `${bundleId}.flowmonitor`;
