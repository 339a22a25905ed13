import 'reflect-metadata';
import {
  CertificateChoices,
  CertificateSet,
  ContentInfo,
  id_data,
  id_signedData,
  SignedData,
} from '@peculiar/asn1-cms';
import { AsnConvert } from '@peculiar/asn1-schema';
import { Certificate } from '@peculiar/asn1-x509';
import { X509Certificate } from 'node:crypto';

/**
 * Creates a CMS message that contains only certificates, the "certs-only" message of RFC 5272, as
 * DER.
 */
export function certsOnly(certificatePems: readonly string[]): Uint8Array {
  const signed = new SignedData();
  signed.version = 1;
  signed.encapContentInfo.eContentType = id_data;
  signed.certificates = new CertificateSet(
    certificatePems.map(
      (pem) =>
        new CertificateChoices({
          certificate: AsnConvert.parse(new X509Certificate(pem).raw, Certificate),
        }),
    ),
  );
  const content = AsnConvert.serialize(signed);
  const message = new ContentInfo({ contentType: id_signedData, content });
  return new Uint8Array(AsnConvert.serialize(message));
}
