import { createHash } from 'node:crypto';
import { z } from 'zod';

/** An object that a TPM has encrypted: the two parts that TPM2_Create returns. */
export interface SealedObject {
  publicPart: Buffer;
  privatePart: Buffer;
}

const stored = z.strictObject({
  version: z.literal(1),
  public: z.base64(),
  private: z.base64(),
  sha256: z.string(),
});

/** Formats a sealed object as JSON, with a checksum that reveals damage on the disk. */
export function formatSealedObject({ publicPart, privatePart }: SealedObject): string {
  const text: z.input<typeof stored> = {
    version: 1,
    public: publicPart.toString('base64'),
    private: privatePart.toString('base64'),
    sha256: checksumOf(publicPart, privatePart),
  };
  return `${JSON.stringify(text)}\n`;
}

/** Returns the sealed object in this text; null if the text is damaged. */
export function parseSealedObject(text: string): SealedObject | null {
  try {
    const { sha256, ...parts } = stored.parse(JSON.parse(text));
    const publicPart = Buffer.from(parts.public, 'base64');
    const privatePart = Buffer.from(parts.private, 'base64');
    return sha256 === checksumOf(publicPart, privatePart) ? { publicPart, privatePart } : null;
  } catch {
    return null;
  }
}

const checksumOf = (...parts: readonly Buffer[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');
