import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import type { Enrollment } from '#contract/device-protocol.ts';
import type { CertificateFacts } from '#pki/certificate.ts';
import { describeCertificate } from '#pki/certificate.ts';
import type { KeyPair } from '#pki/keys.ts';
import { generateKeyPair } from '#pki/keys.ts';
import {
  readIfExists,
  removeIfExists,
  quarantineFile,
  writeFileAtomic,
} from '../state/atomic-file.ts';
import { type CredentialKind, type KeyFiles, openKeyFiles } from '../device-keys/key-files.ts';
import { stateEntries } from '../state/state-folder.ts';
import { parseCertificates } from './trusted-roots.ts';

export interface DeviceCredential extends KeyPair, CertificateFacts {
  certificatePem: string;
}

export interface Credentials {
  /**
   * Returns the keys of this kind. They are generated once and reused for later certificate
   * requests.
   *
   * @throws Error if there are keys that are locked
   */
  keys(kind: CredentialKind): Promise<KeyPair>;
  /**
   * Returns the certificate with its key; null if there is none or the keys are locked. It may have
   * expired.
   */
  get(kind: CredentialKind): DeviceCredential | null;
  /** Returns the roots that the control plane sent with the last certificates. */
  roots(): readonly string[];
  store(issued: Enrollment): void;
  /** Removes the certificate; for an intermediate also the key. */
  remove(kind: CredentialKind): void;
  /** Removes certificates and keys, so that this computer enrolls as a new device. */
  removeAll(): void;
  /** Returns whether the keys are bound to this computer and cannot be used yet. */
  areLocked(): boolean;
  /** Reads the certificates again, because their keys are no longer locked. */
  reload(): void;
}

export interface CredentialOptions {
  /** The private keys; by default those in the folder. */
  keyFiles?: KeyFiles;
  /** Called before a key is stored for the first time. */
  beforeFirstKey?: () => Promise<void>;
}

/**
 * Opens the keys and certificates in the state folder. `onProblem` gets a line for a damaged file.
 */
export function openCredentials(
  dir: string,
  onProblem: (line: string) => void,
  { keyFiles = openKeyFiles(dir), beforeFirstKey }: CredentialOptions = {},
): Credentials {
  const certificateFile = (kind: CredentialKind): string => join(dir, stateEntries[kind]);
  const rootsFile = join(dir, stateEntries.roots);
  const quarantine = (path: string): null => {
    quarantineFile(path);
    onProblem(`${path} was damaged; kept as ${path}.corrupt`);
    return null;
  };
  const loadKeys = (kind: CredentialKind): KeyPair | null => {
    const text = keyFiles.read(kind);
    return text === null ? null : (keyPairOf(text) ?? quarantine(keyFiles.path(kind)));
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
    if (kind === 'intermediate') keyFiles.remove(kind);
  };

  const loadRoots = (): string[] => {
    try {
      return parseCertificates(readIfExists(rootsFile) ?? '');
    } catch {
      return quarantine(rootsFile) ?? [];
    }
  };

  const loaded = { identity: load('identity'), intermediate: load('intermediate') };
  const reload = (): void => {
    loaded.identity = load('identity');
    loaded.intermediate = load('intermediate');
  };
  let roots = loadRoots();
  return {
    keys: async (kind) => {
      const existing = loadKeys(kind);
      if (existing) return existing;
      if (keyFiles.areLocked()) throw new Error('the keys of this device are locked');
      await beforeFirstKey?.();
      const generated = await generateKeyPair();
      keyFiles.write(kind, generated.privateKeyPem);
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
      reload();
    },
    remove,
    removeAll: () => {
      remove('identity');
      remove('intermediate');
      keyFiles.removeAll();
    },
    areLocked: keyFiles.areLocked,
    reload,
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
