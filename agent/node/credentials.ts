import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import type { Enrollment } from '#contract/device-protocol.ts';
import type { CertificateFacts } from '#pki/certificate.ts';
import { describeCertificate } from '#pki/certificate.ts';
import type { KeyPair } from '#pki/keys.ts';
import { generateKeyPair } from '#pki/keys.ts';
import { readIfExists, removeIfExists, quarantineFile, writeFileAtomic } from './atomic-file.ts';
import { stateEntries } from './state-folder.ts';
import { parseCertificates } from './trusted-roots.ts';

/** `identity` authenticates the device; `intermediate` signs certificates of captured hosts. */
export type CredentialKind = 'identity' | 'intermediate';

export interface DeviceCredential extends KeyPair, CertificateFacts {
  certificatePem: string;
}

export interface Credentials {
  /**
   * Returns the keys of this kind. They are generated once and reused for later certificate
   * requests.
   */
  keys(kind: CredentialKind): Promise<KeyPair>;
  /** Returns the certificate with its key; null if there is none. It may have expired. */
  get(kind: CredentialKind): DeviceCredential | null;
  /** Returns the roots that the control plane sent with the last certificates. */
  roots(): readonly string[];
  store(issued: Enrollment): void;
  /** Removes the certificate; for an intermediate also the key. */
  remove(kind: CredentialKind): void;
  /** Removes certificates and keys, so that this computer enrolls as a new device. */
  removeAll(): void;
}

/**
 * Opens the keys and certificates in the state folder. `onProblem` gets a line for a damaged file.
 */
export function openCredentials(dir: string, onProblem: (line: string) => void): Credentials {
  const keyFile = (kind: CredentialKind): string => join(dir, stateEntries[`${kind}Key`]);
  const certificateFile = (kind: CredentialKind): string => join(dir, stateEntries[kind]);
  const rootsFile = join(dir, stateEntries.roots);
  const quarantine = (path: string): null => {
    quarantineFile(path);
    onProblem(`${path} was damaged; kept as ${path}.corrupt`);
    return null;
  };
  const loadKeys = (kind: CredentialKind): KeyPair | null => {
    const text = readIfExists(keyFile(kind));
    return text === null ? null : (keyPairOf(text) ?? quarantine(keyFile(kind)));
  };
  const load = (kind: CredentialKind): DeviceCredential | null => {
    const keys = loadKeys(kind);
    const text = readIfExists(certificateFile(kind));
    if (text === null || keys === null) return null;
    return credentialOf(text, keys) ?? quarantine(certificateFile(kind));
  };
  const remove = (kind: CredentialKind): void => {
    loaded[kind] = null;
    removeIfExists(certificateFile(kind));
    if (kind === 'intermediate') removeIfExists(keyFile(kind));
  };

  const loadRoots = (): string[] => {
    try {
      return parseCertificates(readIfExists(rootsFile) ?? '');
    } catch {
      return quarantine(rootsFile) ?? [];
    }
  };

  const loaded = { identity: load('identity'), intermediate: load('intermediate') };
  let roots = loadRoots();
  return {
    keys: async (kind) => {
      const existing = loadKeys(kind);
      if (existing) return existing;
      const generated = await generateKeyPair();
      writeFileAtomic(keyFile(kind), generated.privateKeyPem);
      return generated;
    },
    get: (kind) => loaded[kind],
    roots: () => roots,
    store: (issued) => {
      writeFileAtomic(rootsFile, issued.root_certificates.join('\n'));
      roots = loadRoots();
      if (issued.intermediate_certificate === null) remove('intermediate');
      else writeFileAtomic(certificateFile('intermediate'), issued.intermediate_certificate);
      writeFileAtomic(certificateFile('identity'), issued.identity_certificate);
      loaded.intermediate = load('intermediate');
      loaded.identity = load('identity');
    },
    remove,
    removeAll: () => {
      remove('identity');
      remove('intermediate');
      removeIfExists(keyFile('identity'));
    },
  };
}

/**
 * Returns whether the certificate belongs to the key.
 *
 * @throws Error if either is not PEM
 */
export function isCertificateForKey(certificatePem: string, publicKeyPem: string): boolean {
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
    if (!isCertificateForKey(certificatePem, keys.publicKeyPem)) return null;
    return { ...keys, certificatePem, ...describeCertificate(certificatePem) };
  } catch {
    return null;
  }
}
