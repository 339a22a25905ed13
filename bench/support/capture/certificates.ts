import {
  createRoot,
  issueIntermediate,
  issueLeaf,
  issueServerCertificate,
} from '#pki/authority.ts';
import { createCsr, readCsr } from '#pki/csr.ts';
import type { CertificateAndKey } from '#pki/sign-certificate.ts';
import { generateKeyPair } from '#pki/keys.ts';
import { CAPTURED } from './traffic.ts';

/** The certificates for the programs of this bench. */
export interface Certificates {
  /** The root of the server's certificate. */
  worldRoot: string;
  /** A root that the client trusts as well. */
  tenantRoot: string;
  server: CertificateAndKey;
  /** The issuer of the agent's certificates. */
  authority: CertificateAndKey;
  /** A certificate of that issuer, with the issuer, for relays that do not issue certificates. */
  relay: CertificateAndKey;
}

export async function issueCertificates(): Promise<Certificates> {
  const now = Date.now();
  const world = await createRoot({ name: 'World', now });
  const tenant = await createRoot({ name: 'Tenant', now });
  const keys = await generateKeyPair();
  const csr = await readCsr(await createCsr({ ...keys, commonName: 'dev_1' }));
  const authority = {
    certificatePem: await issueIntermediate(tenant, {
      csr,
      deviceId: 'dev_1',
      hosts: [CAPTURED],
      now,
    }),
    privateKeyPem: keys.privateKeyPem,
  };
  const { publicKeyPem, privateKeyPem } = await generateKeyPair();
  const leaf = await issueLeaf(authority, { host: CAPTURED, publicKeyPem, now });
  return {
    worldRoot: world.certificatePem,
    tenantRoot: tenant.certificatePem,
    server: await issueServerCertificate(world, { names: [CAPTURED, 'localhost'], now }),
    authority,
    relay: { certificatePem: `${leaf}\n${authority.certificatePem}`, privateKeyPem },
  };
}
