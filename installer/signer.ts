/**
 * Signs a package. The sizes of both slots are needed first: their offsets are part of the table of
 * contents, whose checksum is signed.
 */
export interface PackageSigner {
  /** DER: the signer's certificate first, its root last. */
  chain: readonly Uint8Array[];
  /** Bytes of the RSA slot: the length of the key's modulus. */
  rsaSize: number;
  /** Bytes of the CMS slot; a shorter signature is padded with zeros. */
  cmsSize: number;
  /** PKCS#1 v1.5 over the checksum itself, which is the digest: it is not hashed again. */
  signRsa: (tocChecksum: Uint8Array) => Uint8Array;
  /**
   * Detached CMS over the bytes of the checksum, DER.
   *
   * @throws InstallerError if it is too long
   */
  signCms: (tocChecksum: Uint8Array) => Promise<Uint8Array>;
}
