import {
  isAustralian,
  isBelgian,
  isBrazilian,
  isBritishHealth,
  isCanadian,
  isChilean,
  isChinese,
  isCodiceFiscale,
  isCurp,
  isDutch,
  isFinnish,
  isFrench,
  isGerman,
  isIndian,
  isKorean,
  isNorwegian,
  isPolish,
  isPortuguese,
  isRomanian,
  isSingaporean,
  isSouthAfrican,
  isSpanish,
  isSwedish,
  isSwiss,
  isTurkish,
} from './national-id-checks.ts';

/** The format of a country's national id. */
export interface NationalId {
  country: string;
  name: string;
  /** The source of a regular expression of bounded length for the number. */
  pattern: string;
  /** The check digit test; absent if the format alone is distinctive. */
  isValid?: (text: string) => boolean;
  /**
   * Words, one of which must be near the number: one in ten random numbers passes a check digit
   * test.
   */
  keywords?: string;
  source: string;
}

const SEPARATED = (groups: readonly number[], separator: string): string =>
  groups.map((length) => `\\d{${length}}`).join(separator);

/** National ids with a check digit or a distinctive format. The rules are those of the issuers. */
export const nationalIds: readonly NationalId[] = [
  {
    country: 'AU',
    name: 'tax file number',
    pattern: SEPARATED([3, 3, 3], ' ?'),
    isValid: isAustralian,
    keywords: 'tfn|tax file',
    source: 'ato.gov.au',
  },
  {
    country: 'BE',
    name: 'rijksregisternummer',
    pattern: String.raw`\d{2}\.?\d{2}\.?\d{2}[- ]?\d{3}\.?\d{2}`,
    isValid: isBelgian,
    source: 'ibz.rrn.fgov.be',
  },
  {
    country: 'BR',
    name: 'CPF',
    pattern: String.raw`\d{3}\.\d{3}\.\d{3}-\d{2}|\d{11}`,
    isValid: isBrazilian,
    source: 'gov.br/receitafederal',
  },
  {
    country: 'CA',
    name: 'social insurance number',
    pattern: SEPARATED([3, 3, 3], '[- ]?'),
    isValid: isCanadian,
    keywords: 'sin|nas|social insurance',
    source: 'canada.ca',
  },
  {
    country: 'CH',
    name: 'AHV',
    pattern: String.raw`756\.?\d{4}\.?\d{4}\.?\d{2}`,
    isValid: isSwiss,
    source: 'zas.admin.ch',
  },
  {
    country: 'CL',
    name: 'RUT',
    pattern: String.raw`\d{1,2}\.\d{3}\.\d{3}-[\dKk]`,
    isValid: isChilean,
    source: 'registrocivil.cl',
  },
  {
    country: 'CN',
    name: 'resident identity number',
    pattern: String.raw`[1-8]\d{5}(?:19|20)\d{9}[\dXx]`,
    isValid: isChinese,
    source: 'GB 11643-1999',
  },
  {
    country: 'DE',
    name: 'Steuer-ID',
    pattern: String.raw`[1-9]\d ?\d{3} ?\d{3} ?\d{3}`,
    isValid: isGerman,
    source: 'bzst.de',
  },
  {
    country: 'ES',
    name: 'DNI, NIE',
    pattern: String.raw`(?:\d{8}|\d\d\.\d{3}\.\d{3}|[XYZ]-?\d{7})-?[A-HJ-NP-TV-Z]`,
    isValid: isSpanish,
    source: 'interior.gob.es',
  },
  {
    country: 'FI',
    name: 'henkilötunnus',
    pattern: String.raw`\d{6}[-+A-FU-Y]\d{3}[0-9A-Y]`,
    isValid: isFinnish,
    source: 'dvv.fi',
  },
  {
    country: 'FR',
    name: 'numéro de sécurité sociale',
    pattern: String.raw`[12] ?\d\d ?\d\d ?(?:\d\d|2[AB]) ?\d{3} ?\d{3} ?\d\d`,
    isValid: isFrench,
    source: 'service-public.fr',
  },
  {
    country: 'GB',
    name: 'National Insurance number',
    pattern: String.raw`(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D]`,
    source: 'gov.uk NIM39110',
  },
  {
    country: 'GB',
    name: 'NHS number',
    pattern: SEPARATED([3, 3, 4], '[- ]?'),
    isValid: isBritishHealth,
    keywords: 'nhs',
    source: 'datadictionary.nhs.uk',
  },
  {
    country: 'IN',
    name: 'Aadhaar',
    pattern: String.raw`[2-9]\d{3}[ -]\d{4}[ -]\d{4}`,
    isValid: isIndian,
    source: 'uidai.gov.in',
  },
  {
    country: 'IN',
    name: 'Aadhaar',
    pattern: String.raw`[2-9]\d{11}`,
    isValid: isIndian,
    keywords: 'aadhaar|aadhar|uidai',
    source: 'uidai.gov.in',
  },
  {
    country: 'IT',
    name: 'codice fiscale',
    pattern: String.raw`[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]`,
    isValid: isCodiceFiscale,
    source: 'agenziaentrate.gov.it',
  },
  {
    country: 'KR',
    name: 'resident registration number',
    pattern: String.raw`\d{6}-[1-8]\d{6}`,
    isValid: isKorean,
    source: 'mois.go.kr',
  },
  {
    country: 'MX',
    name: 'CURP',
    pattern: String.raw`[A-Z]{4}\d{6}[HMX][A-Z]{5}[0-9A-Z]\d`,
    isValid: isCurp,
    source: 'gob.mx/curp',
  },
  {
    country: 'NL',
    name: 'burgerservicenummer',
    pattern: SEPARATED([4, 2, 3], String.raw`[. ]?`),
    isValid: isDutch,
    keywords: 'bsn|burgerservice|burgerservicenummer|sofi|sofinummer|sofi nummer',
    source: 'rvig.nl',
  },
  {
    country: 'NO',
    name: 'fødselsnummer',
    pattern: String.raw`\d{6} ?\d{5}`,
    isValid: isNorwegian,
    source: 'skatteetaten.no',
  },
  {
    country: 'PL',
    name: 'PESEL',
    pattern: String.raw`\d{11}`,
    isValid: isPolish,
    source: 'gov.pl',
  },
  {
    country: 'PT',
    name: 'NIF',
    pattern: SEPARATED([3, 3, 3], ' ?'),
    isValid: isPortuguese,
    keywords: 'nif|contribuinte',
    source: 'portaldasfinancas.gov.pt',
  },
  {
    country: 'RO',
    name: 'CNP',
    pattern: String.raw`[1-9]\d{12}`,
    isValid: isRomanian,
    source: 'depabd.mai.gov.ro',
  },
  {
    country: 'SE',
    name: 'personnummer',
    pattern: String.raw`(?:19|20)?\d{6}[-+]\d{4}`,
    isValid: isSwedish,
    source: 'skatteverket.se',
  },
  {
    country: 'SG',
    name: 'NRIC',
    pattern: '[STFGM]\\d{7}[A-Z]',
    isValid: isSingaporean,
    source: 'ica.gov.sg',
  },
  {
    country: 'TR',
    name: 'T.C. kimlik numarası',
    pattern: String.raw`[1-9]\d{10}`,
    isValid: isTurkish,
    source: 'nvi.gov.tr',
  },
  {
    country: 'ZA',
    name: 'identity number',
    pattern: String.raw`\d{6} ?\d{4} ?\d\d ?\d`,
    isValid: isSouthAfrican,
    source: 'dha.gov.za',
  },
];
