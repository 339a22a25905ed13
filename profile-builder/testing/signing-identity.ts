import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SigningIdentity {
  /** PKCS#12 with the certificate, its authority and the key. */
  file: string;
  /** The authority's certificate as PEM, for verification. */
  authority: string;
  password: string;
}

/** Creates a signing identity with OpenSSL, under its own authority. */
export function makeSigningIdentity(
  folder: string,
  leaf: { name: string; extensions: string },
): SigningIdentity {
  const at = (name: string): string => join(folder, `${leaf.name}-${name}`);
  const openssl = (command: string, ...paths: string[]): void => {
    execFileSync('openssl', [...command.split(' '), ...paths], { stdio: 'pipe' });
  };
  const newKey = 'req -newkey rsa:2048 -nodes -keyout';
  openssl(
    `${newKey} ${at('ca.key')} -x509 -days 2 -subj /CN=Profiles -addext`,
    'basicConstraints=critical,CA:TRUE',
    '-out',
    at('ca.pem'),
  );
  writeFileSync(at('leaf.cnf'), leaf.extensions);
  openssl(`${newKey} ${at('key.pem')} -subj /CN=${leaf.name} -out`, at('leaf.csr'));
  openssl(
    `x509 -req -in ${at('leaf.csr')} -CA ${at('ca.pem')} -CAkey ${at('ca.key')} -CAcreateserial ` +
      `-days 1 -extfile ${at('leaf.cnf')} -out`,
    at('leaf.pem'),
  );
  openssl(
    `pkcs12 -export -inkey ${at('key.pem')} -in ${at('leaf.pem')} -certfile ${at('ca.pem')} ` +
      `-passout pass:${PASSWORD} -out`,
    at('id.p12'),
  );
  return { file: at('id.p12'), authority: at('ca.pem'), password: PASSWORD };
}

const PASSWORD = 'profile-secret';
