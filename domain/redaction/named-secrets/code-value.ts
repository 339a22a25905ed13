import { isName } from './names.ts';

/** Parts of a path such as `sha256`, `urllib`, `get_k8s_name` and `PCWSTR`. */
const inPath =
  /^(?:[A-Za-z_]{1,12}\d{1,5}|[a-z]{2,8}\d{1,4}[a-z]\d{0,2}|[a-z]{2,8}\d[a-z]{2,8}|_{0,2}[a-z]{1,20}|[a-z\d]{1,12}(?:_[a-z\d]{1,12}){1,6}|[A-Z_]{1,30}|[A-Z][A-Z\d]{0,15}_[A-Z\d_]{1,20}|[a-z]{1,12}\d{0,2}[A-Z][a-z]{1,12})$/;

/** A sigil or operator, a name with members, and what follows them. */
const expression =
  /^((?:[!&*@~+]|\.{1,3}|->){0,3})([A-Za-z_$][\w$]*(?:(?:!!|[?!])?(?:\.|::|->)[A-Za-z_$][\w$]*){0,20})(.*)$/s;
const MIN_CALLED = 3;

/**
 * The start of a call, an index, type parameters, a block or a macro; an operator; or what ends an
 * argument.
 */
const afterName =
  /^(?:!?[([{]|<[A-Z'&]|[?!]{0,2}[)\]}>:;,|*]+$|[)\]}]{2,3}\.$|\?\.?[([]|\?$|[|=][a-z]{1,30}[}|)]|[!=]==?|=>|\|[A-Z])/i;
/** The first name or number within brackets. */
const argument = /^[!?.]{0,2}[([{<]{1,3}[&*!$@.:-]{0,3}(\w*)/;
/** A hexadecimal number of 256 bits is a key instead. */
const typedNumber =
  /^-?(?:0x[\da-f_]{1,40}|\d[\d_]*(?:\.\d+)?(?=[iuf\dl]))(?:[iuf](?:8|16|32|64|128|size)|[ul]{1,3})?$/i;
const regularExpression = /^\/.*(?:[[\]\\()^|{}*]|\/[gimsuy]{0,4}$)/s;
/** A path, symbol or negation: `::Type`, `:name`, `!(status === 401)`. */
const afterOperator =
  /^(?:::[A-Za-z<[({]|:[a-z_]{2,30}\b|!{1,2}\(\(|!{1,2}\(?[a-z_][\w$]{2,}[(.])/i;
const duplicates = /\$\d{1,3}(?!\w)/g;
const wholeCall = /^[A-Za-z_$][\w$.]*\((?:[^)]*\)[;,)\]}]*)?$/;
const ownMember = /^(?:this|self|super)(?:\??\.|->)[A-Za-z_]/i;
const openCall = /^[A-Za-z_][\w.:]*\(([A-Za-z_][\w.]{2,})=?$/;
/** A duplicate in bundled code: `Token$1`. */
const duplicate = /\$\d{1,3}(?!\w)/;

const memberOfResult = /[)\]}]\??\.[A-Za-z_]{3,}/;
/** `function ({ token: e }) { … }` without blanks. */
const minified =
  /^[\w$]{1,3}(?:[)\]}]{1,4}(?:$|[{(:.,;=?&|]|function|async|get|set|static|if|return)|\[\d{1,2}\][)\]};,]|=\(|\(\w{1,2}(?:\)[)\]}]|,\w{1,2}\)|\[\d\]=))/;
const keyword = /^(?:true|false|none|null|nil)[)\]}[]/i;
const type =
  /^_{0,2}(?:p?u?(?:int|long|short)|[iuf])\d{1,3}(?:_t)?$|^(?:string|number|boolean|object)[=}|>)]/i;
/** A number that ends a literal, and what is done with it: `{ PASS: 1}[status]`. */
const endOfLiteral = /^\d{1,4}[)\]}]{1,3}[[(.;,>]/;
/** A member or type that holds a secret: `notification.smtpDkimPrivateKey`. */
const secretMember = /^(?:[A-Za-z_]\w*\.)+\w*(?:[Kk]ey|[Tt]oken|[Ss]ecret|[Pp]assword)$/;
/** A call within a call, or of a name with a namespace: `unique(append(list`, `Ok(Kind::Number`. */
const innerCall = /^[A-Za-z_]\w*(?:\.\w+)*\((?:[A-Za-z_]\w*::[A-Za-z]|[a-z_][\w.]{3,}\()/;
/** A member or variable with its quoting in Transact-SQL: `o.[ResetToken]`. */
const bracketed = /^\w{1,30}\.\[\w+\]/;
const subscript = /^[A-Za-z_]\w*\[[\w.,|]*\]?$/;
const increment = /^[A-Za-z_][\w.]*(?:\+\+|--);?$/;
/** A call or a map of Erlang: `maps:get(`, `Options#{`. */
const erlang = /^[a-z][a-z\d_]*:[a-z]\w*\(|^[A-Z]\w*#\{/;
/** The identity of an object in Java: `android.os.Binder@2bd79ce`, `Token{78af589`. */
const objectIdentity = /^(?:[a-z]\w*\.)*[A-Z]\w*(?:@[\da-f]{5,8}|\{[\da-f]{5,8})[})\],;]*$/;
/** A call of a class, and a cmdlet of PowerShell: `Uuid::make(`, `Get-Location`. */
const staticCall = /^[A-Z]\w*::\w+\(/;
const cmdlet =
  /^(?:Get|New|Read|ConvertTo|ConvertFrom|Join|Split|Select|Resolve|Import|Invoke)-[A-Za-z]{3,30}[;)]?$/i;
const certain = [
  staticCall,
  cmdlet,
  erlang,
  objectIdentity,
  minified,
  keyword,
  type,
  endOfLiteral,
  secretMember,
  innerCall,
  bracketed,
  subscript,
  increment,
  memberOfResult,
  typedNumber,
  regularExpression,
  afterOperator,
  wholeCall,
  ownMember,
];

/**
 * Whether an unquoted value is code that computes or names a value: a call, an index, a member, a
 * type, a typed number or a regular expression. A name alone may also be a word.
 */
export const isCode = (value: string): boolean =>
  certain.some((pattern) => pattern.test(value)) || isCall(value) || isExpression(value);

/** The first of several arguments is a name: `SigV4Auth(credentials, …`. */
const isCall = (value: string): boolean =>
  openCall.exec(value)?.[1]?.split('.').every(isName) ?? false;

function isExpression(value: string): boolean {
  const [, operator = '', path = '', rest = ''] = expression.exec(value) ?? [];
  if (path === '') return false;
  const names = path.replaceAll(duplicates, '').split(/[^\w$]+/);
  if (path.includes('::') && names.some(isName)) return true;
  if (!areNames(names, rest)) return false;
  if (rest === '') return operator !== '' || names.length > 1 || duplicate.test(path);
  return afterName.test(rest) && isArgument(path, argument.exec(rest)?.[1]);
}

function areNames(names: readonly string[], rest: string): boolean {
  const isPath = names.length > 1 || afterName.test(rest);
  return (
    names.every((name) => isName(name) || (isPath && inPath.test(name))) &&
    (names.some(isName) || /^(?:!?[([]|\))/.test(rest))
  );
}

const number = /^(?:\d{1,6}(?:[iu]\d{1,3})?|0x[\da-f]{1,16})$/i;

/** Brackets are common in passwords too, so what follows must be code, above all after a short name. */
function isArgument(path: string, first: string | undefined): boolean {
  if (first === undefined) return true;
  if (path.length < MIN_CALLED) return false;
  if (first === '') return true;
  return (
    isName(first) || number.test(first) || inPath.test(first) || /^[a-z][a-z\d]{1,20}$/.test(first)
  );
}
