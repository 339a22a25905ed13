/**
 * Signs a package. The sizes of both slots are needed first, because their offsets are part of the
 * table of contents, whose checksum is signed.
 */
export interface PackageSigner {
  /** DER, the signer's certificate first and its root last. */
  chain: readonly Uint8Array[];
  /** The size of the RSA slot in bytes: the length of the key's modulus. */
  rsaSize: number;
  /** The size of the CMS slot in bytes. A shorter signature is padded with zeros. */
  cmsSize: number;
  /**
   * Signs the checksum with PKCS#1 v1.5. The checksum itself is the digest and is not hashed again.
   */
  signRsa: (tocChecksum: Uint8Array) => Uint8Array;
  /**
   * Creates a detached CMS signature over the bytes of the checksum, as DER.
   *
   * @throws InstallerError if it is too long
   */
  signCms: (tocChecksum: Uint8Array) => Promise<Uint8Array>;
}
