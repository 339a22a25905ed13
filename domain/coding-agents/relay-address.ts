/** The path that identifies the URL of an agent's relay for telemetry. */
export const RELAY_PATH = '/gatehouse-agent';

/** The port of the relay, unless a device has another one. */
export const RELAY_PORT = 9878;

export const relayUrl = (port: number): string => `http://127.0.0.1:${port}${RELAY_PATH}`;
