import 'reflect-metadata';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_nameConstraints,
  NameConstraints,
} from '@peculiar/asn1-x509';
import { Extension, type X509Certificate } from '@peculiar/x509';

/**
 * Critical: permitted are these hosts, excluded are those and every IP address. By RFC 5280 either
 * means a host with all its subdomains, and what is excluded wins. Without the exclusion of
 * addresses a certificate for one would pass, since a list of permitted DNS names says nothing about
 * names of another kind.
 */
export function constrainNames(
  permitted: readonly string[],
  excluded: readonly string[],
): Extension {
  const constraints = new NameConstraints({
    permittedSubtrees: new GeneralSubtrees(permitted.map((dNSName) => subtree({ dNSName }))),
    excludedSubtrees: new GeneralSubtrees([
      ...excluded.map((dNSName) => subtree({ dNSName })),
      subtree({ iPAddress: '0.0.0.0/0' }),
      subtree({ iPAddress: '::/0' }),
    ]),
  });
  return new Extension(id_ce_nameConstraints, true, AsnConvert.serialize(constraints));
}

/** The DNS names that a certificate authority is permitted; none where it is not constrained. */
export function permittedHosts(certificate: X509Certificate): string[] {
  const extension = certificate.getExtension(id_ce_nameConstraints);
  if (!extension) return [];
  const { permittedSubtrees } = AsnConvert.parse(extension.value, NameConstraints);
  return [...(permittedSubtrees ?? [])]
    .map(({ base }) => base.dNSName)
    .filter((name) => name !== undefined);
}

function subtree(base: Partial<GeneralName>): GeneralSubtree {
  return new GeneralSubtree({ base: new GeneralName(base) });
}
