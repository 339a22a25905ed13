import { ALNUM, type MarkedFormat, URL_SAFE } from './key-format.ts';

const STANDARD = 'A-Za-z0-9+/';

interface Signature {
  mark: string;
  issuer: string;
  /** Characters before the mark, and from the mark to the padding. */
  before: number;
  after: number;
  characters: string;
}

const inCharacters =
  (characters: string, before: number, after: number) =>
  ([mark, issuer]: readonly [string, string]): Signature => ({
    mark,
    issuer,
    before,
    after,
    characters,
  });

const signatures: readonly Signature[] = [
  ...(
    [
      ['+ASb', 'Azure Service Bus'],
      ['+AEh', 'Azure Event Hubs'],
      ['+ARm', 'Azure Relay'],
      ['AIoT', 'Azure IoT'],
      ['AzCa', 'Azure Cache for Redis'],
    ] as const
  ).map(inCharacters(STANDARD, 33, 6)),
  ...(
    [
      ['+ASt', 'Azure Storage'],
      ['+ABa', 'Azure Batch'],
      ['+AMC', 'Azure Machine Learning'],
      ['ACDb', 'Azure Cosmos DB'],
      ['APIM', 'Azure API Management'],
    ] as const
  ).map(inCharacters(STANDARD, 76, 6)),
  inCharacters(STANDARD, 42, 6)(['+ACR', 'Azure Container Registry']),
  inCharacters(ALNUM, 42, 6)(['AzSe', 'Azure AI Search']),
  inCharacters(URL_SAFE, 44, 6)(['AzFu', 'Azure Functions']),
];

/**
 * Keys of Azure contain the signature of their service at a fixed distance from their ends. Source:
 * microsoft/security-utilities@638ad20e `src/Microsoft.Security.Utilities.Core/`:
 * `IdentifiableMetadata.cs`, `PreciselyClassifiedSecurityKeys/` and, for the keys of several
 * services that contain `JQQJ99`, `IdentifiableSecrets.cs`.
 *
 * The checksum after the signature is not verified, because every kind of key has a seed of its own
 * and the list of kinds grows. A random word of these lengths has the signature at its place with a
 * probability of 1 to 16 million.
 */
export const azureKeys: readonly MarkedFormat[] = [
  {
    issuer: 'Azure AI, DevOps, Event Grid, Maps and others',
    mark: 'JQQJ9',
    before: `(?<![+/])[${ALNUM}]{52}`,
    after: `[9DH][${ALNUM}]{20,28}={0,2}(?![${STANDARD}])`,
    example: ['a1B2c3D4e5F6g'.repeat(4), 'JQQJ9', `9BK${'a1B2c3D4e5F6g7'.repeat(2).slice(4)}`],
    source: 'SEC101/200 UnclassifiedLegacyCommonAnnotatedSecurityKey',
  },
  {
    issuer: 'Azure DevOps',
    mark: 'AZDO',
    before: `(?<![+/])[${ALNUM}]{76}`,
    after: `[${ALNUM}]{4}(?![${STANDARD}])`,
    example: ['a1B2c3D4e5F6g7H8i9J'.repeat(4), 'AZDO', 'a1B2'],
    source: 'learn.microsoft.com/purview/sit-defn-azure-devops-personal-access-token',
  },
  ...signatures.map(({ mark, issuer, before, after, characters }): MarkedFormat => {
    const part = (length: number) => 'a1B2c3D4e5F6g7H8'.repeat(6).slice(0, length);
    return {
      issuer,
      mark,
      before: `(?<![${characters}])[${characters}]{${before}}`,
      // The last character may be part of the padding.
      after: `[${characters}]{${after - 1},${after}}={0,2}(?![${characters}])`,
      example: [part(before), mark, part(after), '=='],
      source: 'IdentifiableMetadata.cs',
    };
  }),
];
