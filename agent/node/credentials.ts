import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import type { Enrollment } from '#contract/device.ts';
import type { CertificateFacts } from '#pki/certificate.ts';
import { describeCertificate } from '#pki/certificate.ts';
import type { KeyPair } from '#pki/keys.ts';
import { generateKeyPair } from '#pki/keys.ts';
import { readIfThere, removeIfThere, setAside, writeFileAtomic } from './atomic-file.ts';
import { stateEntries } from './state-folder.ts';
import { certificatesIn } from './trusted-roots.ts';

/** `identity` speaks for the device; `intermediate` signs for the hosts captured on it. */
export type CredentialKind = 'identity' | 'intermediate';

export interface DeviceCredential extends KeyPair, CertificateFacts {
  certificatePem: string;
}

export interface Credentials {
  /** The keys of this kind; made once and kept between attempts to have them certified. */
  keys(kind: CredentialKind): Promise<KeyPair>;
  /** The certificate with its key; null if there is none. It may have expired. */
  get(kind: CredentialKind): DeviceCredential | null;
  /** The roots that the service named with the last certificates. */
  roots(): readonly string[];
  store(issued: Enrollment): void;
  /** Forgets the certificate; of an intermediate the key too. */
  forget(kind: CredentialKind): void;
  /** Forgets certificates and keys: this computer starts as a new one. */
  forgetAll(): void;
}

/** The keys and certificates in the state folder. `onProblem` gets a line for a damaged file. */
export function openCredentials(dir: string, onProblem: (line: string) => void): Credentials {
  const keyFile = (kind: CredentialKind): string => join(dir, stateEntries[`${kind}Key`]);
  const certificateFile = (kind: CredentialKind): string => join(dir, stateEntries[kind]);
  const rootsFile = join(dir, stateEntries.roots);
  const damaged = (path: string): null => {
    setAside(path);
    onProblem(`${path} was damaged; kept as ${path}.corrupt`);
    return null;
  };
  const loadKeys = (kind: CredentialKind): KeyPair | null => {
    const text = readIfThere(keyFile(kind));
    return text === null ? null : (keyPairOf(text) ?? damaged(keyFile(kind)));
  };
  const load = (kind: CredentialKind): DeviceCredential | null => {
    const keys = loadKeys(kind);
    const text = readIfThere(certificateFile(kind));
    if (text === null || keys === null) return null;
    return credentialOf(text, keys) ?? damaged(certificateFile(kind));
  };
  const forget = (kind: CredentialKind): void => {
    loaded[kind] = null;
    removeIfThere(certificateFile(kind));
    if (kind === 'intermediate') removeIfThere(keyFile(kind));
  };

  const loadRoots = (): string[] => {
    try {
      return certificatesIn(readIfThere(rootsFile) ?? '');
    } catch {
      return damaged(rootsFile) ?? [];
    }
  };

  const loaded = { identity: load('identity'), intermediate: load('intermediate') };
  let roots = loadRoots();
  return {
    keys: async (kind) => {
      const kept = loadKeys(kind);
      if (kept) return kept;
      const fresh = await generateKeyPair();
      writeFileAtomic(keyFile(kind), fresh.privateKeyPem);
      return fresh;
    },
    get: (kind) => loaded[kind],
    roots: () => roots,
    store: (issued) => {
      writeFileAtomic(rootsFile, issued.root_certificates.join('\n'));
      roots = loadRoots();
      if (issued.intermediate_certificate === null) forget('intermediate');
      else writeFileAtomic(certificateFile('intermediate'), issued.intermediate_certificate);
      writeFileAtomic(certificateFile('identity'), issued.identity_certificate);
      loaded.intermediate = load('intermediate');
      loaded.identity = load('identity');
    },
    forget,
    forgetAll: () => {
      forget('identity');
      forget('intermediate');
      removeIfThere(keyFile('identity'));
    },
  };
}

/** Does this certificate speak for this key? Throws where either is not PEM. */
export function isFor(certificatePem: string, publicKeyPem: string): boolean {
  return new X509Certificate(certificatePem).publicKey.equals(createPublicKey(publicKeyPem));
}

function keyPairOf(privateKeyPem: string): KeyPair | null {
  try {
    const publicKey = createPublicKey(createPrivateKey(privateKeyPem));
    return {
      privateKeyPem,
      publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    };
  } catch {
    return null;
  }
}

function credentialOf(certificatePem: string, keys: KeyPair): DeviceCredential | null {
  try {
    if (!isFor(certificatePem, keys.publicKeyPem)) return null;
    return { ...keys, certificatePem, ...describeCertificate(certificatePem) };
  } catch {
    return null;
  }
}
