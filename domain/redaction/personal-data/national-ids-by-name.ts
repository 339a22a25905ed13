import {
  isArgentine,
  isAustrian,
  isBulgarian,
  isChilean,
  isCroatian,
  isCzech,
  isDanish,
  isEcuadorian,
  isEstonian,
  isGermanPension,
  isGreek,
  isHongKong,
  isIcelandic,
  isIrish,
  isIsraeli,
  isJapanese,
  isLatvian,
  isLuxembourgish,
  isMalaysian,
  isNewZealand,
  isRussianTaxpayer,
  isSnils,
  isSwedish,
  isTaiwanese,
  isThai,
  isUkrainian,
  isUruguayan,
  isYugoslav,
} from './national-id-checks.ts';
import type { NationalId } from './national-ids.ts';

/** A national id with a number, and one that differs in its check digit or date. */
export interface ExampleId extends NationalId {
  example: string;
  counterExample: string;
}

const id = (
  [country, name, source]: readonly [country: string, name: string, source: string],
  pattern: string,
  isValid: (text: string) => boolean,
  keywords: string | undefined,
  [example, counterExample]: readonly [example: string, counterExample: string],
): ExampleId => ({
  country,
  name,
  pattern,
  isValid,
  source,
  example,
  counterExample,
  ...(keywords !== undefined && { keywords }),
});

/**
 * Further national ids of people. Most have a check digit that one in ten numbers passes, so that
 * their name must be near. The checks of those of python-stdnum 1.20 were compared with it.
 */
export const moreNationalIds: readonly ExampleId[] = [
  id(['AR', 'CUIL', 'anses.gob.ar'], String.raw`2[0-7]-\d{8}-\d`, isArgentine, undefined, [
    '20-05536168-2',
    '20-05536168-3',
  ]),
  id(['AR', 'CUIL', 'anses.gob.ar'], String.raw`2[0-7]\d{9}`, isArgentine, 'cuil|cuit', [
    '20055361682',
    '20055361683',
  ]),
  id(
    ['AT', 'Sozialversicherungsnummer', 'sozialversicherung.at'],
    String.raw`[1-9]\d{3} ?\d{6}`,
    isAustrian,
    'svnr|sv nr|sv nummer|vers\\.? ?nr|sozialversicherungsnummer|versicherungsnummer',
    ['1237010180', '2237010180'],
  ),
  id(['BG', 'ЕГН', 'grao.bg'], String.raw`\d{10}`, isBulgarian, 'егн|egn', [
    '7523169263',
    '7523169264',
  ]),
  id(
    ['CL', 'RUT', 'registrocivil.cl'],
    String.raw`\d{7,8}-?[\dKk]`,
    isChilean,
    'rut|r[._]u[._]t|rol único|rol unico',
    ['12531909-2', '12531909-3'],
  ),
  id(
    ['CZ', 'rodné číslo', 'mvcr.cz; for Slovakia, minv.sk'],
    String.raw`\d{6}/\d{4}`,
    isCzech,
    undefined,
    ['710319/2745', '710319/2746'],
  ),
  id(
    ['CZ', 'rodné číslo', 'mvcr.cz; for Slovakia, minv.sk'],
    String.raw`\d{6}/?\d{3,4}`,
    isCzech,
    'rodné číslo|rodne cislo|rodné čislo|rč',
    ['7103192745', '7103192746'],
  ),
  id(
    ['DE', 'Rentenversicherungsnummer', 'deutsche-rentenversicherung.de'],
    String.raw`\d{2} ?\d{6} ?[A-Z] ?\d{3}`,
    isGermanPension,
    undefined,
    ['15070649C103', '15070649C104'],
  ),
  id(
    ['DK', 'CPR', 'cpr.dk'],
    String.raw`\d{6}[- ]?\d{4}`,
    isDanish,
    'cpr|cpr-nummer|personnummer',
    ['211062-5629', '511062-5629'],
  ),
  id(
    ['EC', 'cédula', 'registrocivil.gob.ec'],
    String.raw`\d{9}-?\d`,
    isEcuadorian,
    'cédula|cedula',
    ['171430710-3', '171430710-4'],
  ),
  id(
    ['EE', 'isikukood; in Lithuania, asmens kodas', 'riigiteataja.ee; registrucentras.lt'],
    String.raw`[1-6]\d{10}`,
    isEstonian,
    'isikukood|id kood|asmens kodas|asmens kod|a\\.k\\.',
    ['36805280109', '36805280108'],
  ),
  id(['GR', 'AMKA', 'amka.gr'], String.raw`\d{11}`, isGreek, 'amka|αμκα', [
    '01013099997',
    '01013099999',
  ]),
  id(['HK', 'HKID', 'immd.gov.hk'], String.raw`[A-Z]{1,2}\d{6}\([\dA]\)`, isHongKong, undefined, [
    'G123456(A)',
    'G123456(9)',
  ]),
  id(
    ['HR', 'OIB', 'porezna-uprava.hr'],
    String.raw`\d{11}`,
    isCroatian,
    'oib|osobni identifikacijski broj',
    ['33392005961', '33392005962'],
  ),
  id(['IE', 'PPS', 'revenue.ie'], String.raw`\d{7}[A-W][A-IWT]?`, isIrish, 'pps|ppsn', [
    '6433435F',
    '6433435E',
  ]),
  id(
    ['IL', 'teudat zehut', 'gov.il'],
    String.raw`\d{8}-?\d`,
    isIsraeli,
    'teudat zehut|תעודת זהות|ת(?:\\.|"|״| )ז\\.?|israeli id',
    ['039337423', '039337422'],
  ),
  id(['IS', 'kennitala', 'skra.is'], String.raw`\d{6}-?\d{4}`, isIcelandic, 'kennitala|kt', [
    '120174-3399',
    '120174-3389',
  ]),
  id(
    ['JP', 'My Number', 'Cabinet Order on the Number Act, article 8'],
    String.raw`\d{4}[- ]?\d{4}[- ]?\d{4}`,
    isJapanese,
    'マイナンバー|個人番号|my number',
    ['123456789018', '123456789017'],
  ),
  id(
    ['LU', 'matricule', 'guichet.public.lu'],
    String.raw`(?:19|20)\d{11}`,
    isLuxembourgish,
    undefined,
    ['1985041233343', '1985041233342'],
  ),
  id(['LV', 'personas kods', 'pmlp.gov.lv'], String.raw`\d{6}-[0-2]\d{4}`, isLatvian, undefined, [
    '161175-19997',
    '161175-19996',
  ]),
  id(
    ['MY', 'MyKad', 'jpn.gov.my'],
    String.raw`\d{6}-\d{2}-\d{4}`,
    isMalaysian,
    'nric|mykad|kad pengenalan|no\\.? kp|ic no|ic number',
    ['770305-02-1234', '771305-02-1234'],
  ),
  id(
    ['NZ', 'IRD number', 'ird.govt.nz'],
    String.raw`\d{2,3}[- ]?\d{3}[- ]?\d{3}`,
    isNewZealand,
    'ird|ird number|ird no',
    ['49-091-850', '49-091-851'],
  ),
  id(
    ['RS', 'JMBG; in Slovenia, EMŠO', 'en.wikipedia.org/wiki/Unique_Master_Citizen_Number'],
    String.raw`\d{13}`,
    isYugoslav,
    'jmbg|јмбг|emšo|emso|matični broj|maticni broj',
    ['0101006500006', '0101006500007'],
  ),
  id(['RU', 'СНИЛС', 'sfr.gov.ru'], String.raw`\d{3}-\d{3}-\d{3}[ -]\d{2}`, isSnils, undefined, [
    '112-233-445 95',
    '112-233-445 96',
  ]),
  id(['RU', 'СНИЛС', 'sfr.gov.ru'], String.raw`\d{11}`, isSnils, 'снилс|snils', [
    '11223344595',
    '11223344596',
  ]),
  id(['RU', 'ИНН', 'nalog.gov.ru'], String.raw`\d{12}`, isRussianTaxpayer, 'инн|inn', [
    '123456789047',
    '123456789037',
  ]),
  id(
    ['SE', 'personnummer', 'skatteverket.se'],
    String.raw`(?:19|20)\d{6}[-+ ]?\d{4}`,
    isSwedish,
    'personnummer|personnr|samordningsnummer',
    ['198112289874', '198112289875'],
  ),
  id(
    ['TH', 'identity number', 'bora.dopa.go.th'],
    String.raw`[1-8]-\d{4}-\d{5}-\d{2}-\d`,
    isThai,
    undefined,
    ['1-2345-45678-78-1', '1-2345-45678-78-9'],
  ),
  id(
    ['TH', 'identity number', 'bora.dopa.go.th'],
    String.raw`[1-8]\d{12}`,
    isThai,
    'เลขประจำตัวประชาชน|บัตรประชาชน|thai id|national id|citizen id',
    ['3100600445635', '3100600445636'],
  ),
  id(
    ['TW', '身分證字號', 'ris.gov.tw'],
    String.raw`[A-Z][1289]\d{8}`,
    isTaiwanese,
    '身分證字號|身分證|身份證字號|身份證|national id|taiwan id|roc id',
    ['A123456789', 'A123456788'],
  ),
  id(
    ['UA', 'РНОКПП', 'tax.gov.ua'],
    String.raw`\d{10}`,
    isUkrainian,
    'рнокпп|іпн|ипн|rnokpp|ідентифікаційний код',
    ['1759013776', '1759013770'],
  ),
  id(
    ['US', 'ITIN', 'irs.gov/individuals/individual-taxpayer-identification-number'],
    String.raw`9\d\d[- ]?(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])[- ]?\d{4}`,
    () => true,
    'itin|individual taxpayer|taxpayer id|taxpayer identification number',
    ['912701234', '912691234'],
  ),
  id(
    ['US', 'ITIN', 'irs.gov/individuals/individual-taxpayer-identification-number'],
    String.raw`9\d\d-(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])-\d{4}`,
    () => true,
    undefined,
    ['912-70-1234', '912-69-1234'],
  ),
  id(
    ['UY', 'cédula de identidad', 'gub.uy'],
    String.raw`\d\.\d{3}\.\d{3}-\d`,
    isUruguayan,
    undefined,
    ['1.234.567-2', '1.234.567-3'],
  ),
  id(
    ['UY', 'cédula de identidad', 'gub.uy'],
    String.raw`\d\.?\d{3}\.?\d{3}-?\d`,
    isUruguayan,
    'cédula|cedula|cédula de identidad|cedula de identidad|c\\.?i\\.?',
    ['12345672', '12345673'],
  ),
];
