/** A word of a command line that sets a name: `NAME=value`, `--name=value`, `Name: value`. */
export interface Setting {
  name: string;
  /** What is between name and value. */
  sign: string;
  value: string;
  /** Whether it sets a variable: `NAME=value`, `-eNAME=value`, `-Dname=value`. */
  isVariable: boolean;
}

/** Not `mcp-thing==1.2`, which is a package with its version. */
const variable = /^((?:-[eD])?[A-Za-z_][\w.-]*)(=)(?!=)(.*)$/s;
const option = /^(--?[\w.@:-]+?)(=|:\s+)(.*)$/s;
const header = /^([\w.-]+)(:\s+)(.*)$/s;

/** The setting in a word, if it is one. */
export function readSetting(word: string): Setting | undefined {
  const match = variable.exec(word) ?? option.exec(word) ?? header.exec(word);
  const [, name, sign = '', value = ''] = match ?? [];
  return name === undefined ? undefined : { name, sign, value, isVariable: variable.test(word) };
}

const userOption = /^(-u|-U|--user|--proxy-user)$/;

/** The password in `-u name:password`, as curl takes it. Ids such as `1000:1000` are none. */
export function passwordOfUser(word: string, previous: string | undefined): string | undefined {
  const attached = /^-[uU]([^:\s]*:.*)$/s.exec(word)?.[1];
  const user = attached ?? (previous !== undefined && userOption.test(previous) ? word : '');
  const [, name, password] = /^([^:]*):(.+)$/s.exec(user) ?? [];
  return password === undefined || password === name || /^\d+$/.test(password)
    ? undefined
    : password;
}
