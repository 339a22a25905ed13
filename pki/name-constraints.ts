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
 * Creates a critical extension that permits these hosts, and excludes the given ones and every IP
 * address. By RFC 5280 a host includes its subdomains, and exclusion wins. IP addresses must be
 * excluded explicitly, because a list of permitted DNS names does not restrict names of other
 * types.
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

/** The permitted DNS names of a certificate authority; empty if it is unconstrained. */
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
