import { builtinTypes } from '#contract/settings.ts';
import type { BuiltinType } from '#contract/settings.ts';

const descriptions: Record<BuiltinType, string> = {
  PRIVATE_KEY: 'PEM and PGP private keys',
  JWT: 'JSON web tokens',
  API_KEY: 'Keys of providers, clouds and services',
  AUTHORIZATION: 'Authorization headers, bearer tokens',
  PASSWORD: 'Values named password, passphrase …',
  SECRET: 'Values named secret, token, api_key …',
  URL_CREDENTIALS: 'User and password in URLs',
  EMAIL: 'Email addresses',
  CREDIT_CARD: 'Card numbers with a valid checksum',
  IBAN: 'Bank account numbers',
  US_SSN: 'US social security numbers',
  NATIONAL_ID: 'Personal ids of 25 other countries',
  PHONE: 'Telephone numbers',
  IP_ADDRESS: 'IPv4 and IPv6 addresses',
  PERSON_NAME: 'Values of fields such as last_name',
  POSTAL_ADDRESS: 'Values of fields such as street',
};

interface BuiltinTypesProps {
  chosen: readonly BuiltinType[];
  onChange: (chosen: BuiltinType[]) => void;
}

export const BuiltinTypes = ({ chosen, onChange }: BuiltinTypesProps) => (
  <div className="card">
    <div className="builtin-types">
      {builtinTypes.map((type) => (
        <label key={type}>
          <input
            type="checkbox"
            checked={chosen.includes(type)}
            onChange={({ target }) =>
              onChange(
                target.checked ? [...chosen, type] : chosen.filter((other) => other !== type),
              )
            }
          />
          <span>
            <span className="mono">{type}</span>
            <br />
            <span className="hint">{descriptions[type]}</span>
          </span>
        </label>
      ))}
    </div>
  </div>
);
