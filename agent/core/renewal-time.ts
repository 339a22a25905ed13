export interface Validity {
  serial: string;
  notBefore: number;
  notAfter: number;
}

/**
 * When a certificate is to be renewed, in ms: at two thirds of its life, and up to a twentieth
 * of its life later. The serial is random, so it is the jitter: it spreads a fleet enrolled in
 * one morning, and the time is the same after a restart without being stored.
 */
export function renewalTime({ serial, notBefore, notAfter }: Validity): number {
  const fraction = Number.parseInt(serial.slice(-4), 16) / 0x10000;
  const jitter = Number.isFinite(fraction) ? fraction / 20 : 0;
  return Math.round(notBefore + (notAfter - notBefore) * (2 / 3 + jitter));
}
