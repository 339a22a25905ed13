export interface Validity {
  serial: string;
  notBefore: number;
  notAfter: number;
}

/**
 * Returns the time to renew a certificate, in ms: after two thirds of its life plus a jitter of up
 * to a twentieth. The jitter derives from the random serial, so it spreads the renewals of devices
 * that enrolled together and stays the same after a restart.
 */
export function renewalTime({ serial, notBefore, notAfter }: Validity): number {
  const fraction = Number.parseInt(serial.slice(-4), 16) / 0x10000;
  const jitter = Number.isFinite(fraction) ? fraction / 20 : 0;
  return Math.round(notBefore + (notAfter - notBefore) * (2 / 3 + jitter));
}
