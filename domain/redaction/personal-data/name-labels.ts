/**
 * The noun for a name of a person in the languages of most translations, with their compounds: in a file of
 * translations, a member `given_name` holds the label of a field (unicode.org/cldr, "person names").
 */
const nouns =
  /(?:^|[\s-])(?:(?:sur|fore|vor|nach|familien|zu|achter|voor|för|efter|mellan|for|etter|mellom)?(?:name|namn|navn|naam)|nome|nombres?|noms?|nume|nimi|isim|prenume|prénoms?|sobrenome|cognome|cognoms?|apell?idos?|soyad[ıi]?|adı|im(?:ię|iona)|nazwisko|jméno|příjmení|meno|priezvisko|ime|prezime|priimek|eesnimi|perekonnanimi|etunimi|sukunimi|keresztnév|vezetéknév|név|vārds|uzvārds|vardas|pavardė|vorname|nachname|emri|izena|abizena|enw|ainm|nama|apelyido|pangalan|tên|họ|имя|фамилия|отчество|ім['’]я|прізвище|име|фамилно|презиме|όνομα|επώνυμο|ονοματεπώνυμο)(?=$|[\s-])|氏名|姓名|名字|名前|姓氏|이름|성명|ชื่อ|นามสกุล|الاسم|اسم|नाम|שם|^[名姓성]$/iu;

/** Whether a text is the label of a field for a name, instead of a name. */
export const isNameLabel = (text: string): boolean => nouns.test(text);
