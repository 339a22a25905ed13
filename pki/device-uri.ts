const PREFIX = 'urn:svc:device:';
const idForm = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The URI that names a device in certificates.
 *
 * @throws Error unless the id is 1 to 64 of `A-Z a-z 0-9 _ -`
 */
export function deviceUri(deviceId: string): string {
  if (!idForm.test(deviceId)) throw new Error('device id: expected 1 to 64 of A-Z a-z 0-9 _ -');
  return `${PREFIX}${deviceId}`;
}

/** The device id of such a URI; null for any other. */
export function readDeviceUri(uri: string): string | null {
  const id = uri.startsWith(PREFIX) ? uri.slice(PREFIX.length) : '';
  return idForm.test(id) ? id : null;
}
