const PREFIX = 'urn:svc:device:';
const idFormat = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The URI that identifies a device in certificates.
 *
 * @throws Error unless the id consists of 1 to 64 of the characters `A-Z a-z 0-9 _ -`
 */
export function deviceUri(deviceId: string): string {
  if (!idFormat.test(deviceId)) throw new Error('device id: expected 1 to 64 of A-Z a-z 0-9 _ -');
  return `${PREFIX}${deviceId}`;
}

/** The device id in such a URI, or null for any other URI. */
export function readDeviceUri(uri: string): string | null {
  const id = uri.startsWith(PREFIX) ? uri.slice(PREFIX.length) : '';
  return idFormat.test(id) ? id : null;
}
