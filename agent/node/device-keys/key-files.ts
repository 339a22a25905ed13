import { join } from 'node:path';
import { readIfExists, removeIfExists, writeFileAtomic } from '../state/atomic-file.ts';
import { stateEntries } from '../state/state-folder.ts';
import { isWrapped, unwrapKey, wrapKey } from './wrapped-key.ts';

/** `identity` authenticates the device; `intermediate` signs certificates of captured hosts. */
export type CredentialKind = 'identity' | 'intermediate';

const kinds: readonly CredentialKind[] = ['identity', 'intermediate'];

/** The private keys on disk: as PEM, or wrapped with a key that this computer has sealed. */
export interface KeyFiles {
  path: (kind: CredentialKind) => string;
  /** Returns the sealed wrapping key; null if the keys are not wrapped. */
  sealedKey: () => string | null;
  /** Whether the keys are wrapped, and the wrapping key is not unsealed yet. */
  areLocked: () => boolean;
  /** Whether the keys are wrapped, and the wrapping key is known. */
  areBound: () => boolean;
  /** Whether there is a key that is not wrapped. */
  hasPlainKeys: () => boolean;
  /** Wraps the keys that are not wrapped, each in one step. */
  wrapPlainKeys: () => void;
  /**
   * Returns a private key as PEM; null if there is none or it is locked. The text is no key if it is
   * damaged, or wrapped with a key that was lost.
   */
  read: (kind: CredentialKind) => string | null;
  write: (kind: CredentialKind, pem: string) => void;
  remove: (kind: CredentialKind) => void;
  /** Removes all keys with the sealed one. */
  removeAll: () => void;
  /** Stores a sealed key, known to unseal on this computer, with which all keys are to be wrapped. */
  bind: (sealedKey: string, wrappingKey: Buffer) => void;
  /** Makes wrapped keys readable. */
  unlock: (wrappingKey: Buffer) => void;
}

/** Opens the files of the private keys in a state folder. Changes nothing. */
export function openKeyFiles(dir: string): KeyFiles {
  const sealedFile = join(dir, stateEntries.sealedKey);
  const path = (kind: CredentialKind): string => join(dir, stateEntries[`${kind}Key`]);
  let wrappingKey: Buffer | null = null;
  let sealedKey = readIfExists(sealedFile);

  const write = (kind: CredentialKind, pem: string): void =>
    writeFileAtomic(path(kind), wrappingKey === null ? pem : wrapKey(pem, wrappingKey, kind));
  const plainKeys = (): [CredentialKind, string][] =>
    kinds.flatMap((kind) => {
      const text = readIfExists(path(kind));
      return text === null || isWrapped(text) ? [] : [[kind, text]];
    });

  return {
    path,
    sealedKey: () => sealedKey,
    areLocked: () => sealedKey !== null && wrappingKey === null,
    areBound: () => sealedKey !== null && wrappingKey !== null,
    hasPlainKeys: () => plainKeys().length > 0,
    wrapPlainKeys: () => {
      for (const [kind, pem] of plainKeys()) write(kind, pem);
    },
    read: (kind) => {
      const text = readIfExists(path(kind));
      if (text === null || (sealedKey !== null && wrappingKey === null)) return null;
      if (wrappingKey === null || !isWrapped(text)) return text;
      return unwrapKey(text, wrappingKey, kind) ?? text;
    },
    write,
    remove: (kind) => removeIfExists(path(kind)),
    removeAll: () => {
      for (const kind of kinds) removeIfExists(path(kind));
      // Removed last: wrapped keys without it would look damaged.
      removeIfExists(sealedFile);
      sealedKey = wrappingKey = null;
    },
    bind: (sealed, key) => {
      writeFileAtomic(sealedFile, sealed);
      sealedKey = sealed;
      wrappingKey = key;
    },
    unlock: (key) => void (wrappingKey = key),
  };
}
