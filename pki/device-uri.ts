const prefix = 'urn:svc:device:';
const idForm = /^[A-Za-z0-9_-]{1,64}$/;

/** How certificates name a device. Throws unless the id is 1 to 64 of `A-Z a-z 0-9 _ -`. */
export function deviceUri(deviceId: string): string {
  if (!idForm.test(deviceId)) throw new Error('device id: expected 1 to 64 of A-Z a-z 0-9 _ -');
  return `${prefix}${deviceId}`;
}

/** The id out of such a URI; null where it is none. */
export function readDeviceUri(uri: string): string | null {
  const id = uri.startsWith(prefix) ? uri.slice(prefix.length) : '';
  return idForm.test(id) ? id : null;
}
