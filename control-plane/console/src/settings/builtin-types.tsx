import { t } from '@lingui/core/macro';
import { builtinTypes } from '#contract/settings.ts';
import type { BuiltinType } from '#contract/settings.ts';

const descriptions: Record<BuiltinType, string> = {
  PRIVATE_KEY: t`PEM and PGP private keys`,
  JWT: t`JSON web tokens`,
  API_KEY: t`Keys of providers, clouds and services`,
  AUTHORIZATION: t`Authorization headers, bearer tokens`,
  PASSWORD: t`Values named password, passphrase …`,
  SECRET: t`Values named secret, token, api_key …`,
  URL_CREDENTIALS: t`User and password in URLs`,
  EMAIL: t`Email addresses`,
  CREDIT_CARD: t`Card numbers with a valid checksum`,
  IBAN: t`Bank account numbers`,
  US_SSN: t`US social security numbers`,
  NATIONAL_ID: t`Personal ids of 49 other countries`,
  PHONE: t`Telephone numbers`,
  IP_ADDRESS: t`IPv4 and IPv6 addresses`,
  MAC_ADDRESS: t`Hardware addresses of network interfaces`,
  PERSON_NAME: t`Values of fields such as last_name`,
  POSTAL_ADDRESS: t`Values of fields such as street`,
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
