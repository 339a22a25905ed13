import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createOnce } from './private-file.ts';
import { SettingError } from './setting-error.ts';

const MIN_SECRET_KEY_LENGTH = 32;

const WRONG_KEY =
  'not the key that this database was created with (unset, it is secret.key in DATA_DIR)';

/** Keys derived from SECRET_KEY. */
export interface Secrets {
  /** Signs session tokens. */
  sessionKey: Uint8Array;
  /** Chains the entries of the audit log. */
  auditKey: Uint8Array;
  /** Signs sub-user tokens. */
  subUserKey: Uint8Array;
  /** Signs the decision links of notifications. */
  decisionLinkKey: Uint8Array;
  encrypt(text: string): string;
  /**
   * @throws SettingError if it was encrypted with another key, or altered
   */
  decrypt(sealed: string): string;
}

export function deriveSecrets(secretKey: string): Secrets {
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secretKey, '', `gatehouse ${purpose}`, 32));
  const storageKey = derive('storage');
  return {
    sessionKey: derive('sessions'),
    auditKey: derive('audit'),
    subUserKey: derive('sub-users'),
    decisionLinkKey: derive('decision links'),
    encrypt(text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', storageKey, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    decrypt(sealed) {
      const bytes = Buffer.from(sealed.replace(/^v1\./, ''), 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', storageKey, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      const text = decipher.update(bytes.subarray(28), undefined, 'utf8');
      try {
        return text + decipher.final('utf8');
      } catch (error) {
        throw new SettingError(['SECRET_KEY'], WRONG_KEY, { cause: error });
      }
    },
  };
}

const fileIn = (dataDir: string): string => join(dataDir, 'secret.key');

/**
 * Returns the configured key, or the one in the data folder; undefined if there is none yet.
 *
 * @throws SettingError if the stored key was truncated, since a new key could not decrypt the data
 */
export function readSecretKey(configured: string | undefined, dataDir: string): string | undefined {
  if (configured) return configured;
  const file = fileIn(dataDir);
  if (!existsSync(file)) return undefined;
  const key = readFileSync(file, 'utf8').trim();
  if (key.length >= MIN_SECRET_KEY_LENGTH) return key;
  throw new SettingError(
    ['DATA_DIR'],
    `${file} holds ${key.length} characters, not a key of at least ${MIN_SECRET_KEY_LENGTH}: restore it, or remove it if there is no data yet`,
  );
}

/** Creates a key in the data folder. Processes that start together get the same key. */
export function makeSecretKey(dataDir: string): string {
  createOnce(fileIn(dataDir), randomBytes(32).toString('base64url'));
  return readSecretKey(undefined, dataDir) as string;
}

export const forgetSecretKey = (dataDir: string): void => rmSync(fileIn(dataDir), { force: true });
