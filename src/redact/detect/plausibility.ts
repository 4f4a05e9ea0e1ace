import { isRedacted } from '../replace/placeholder-format.ts';
import type { Certainty } from './credential-names.ts';

const STAND_INS: readonly RegExp[] = [
  /^[^\p{L}\d]*$/u,
  /^(.)\1*$/,
  /^(?:Bearer|Basic)(?: |%20)…[^\p{L}\d]*$/iu,
  // Placeholders for the reader, and those of templates, shells and formats.
  /^<[^>]*>$/,
  /^\{\{?.*\}\}?$/,
  /^\$\{?\{?[\w.: -]*\}?\}?$/,
  /^%\w+%?$/,
  /^(?:your|my)[-_ ]\S*(?:token|key|secret|password)\S*$/i,
  /^\$?(?:process\.)?env[.:[(]/,
  /^insert[-_]|[-_]here$/i,
  // Name of a secret, or role of reStructuredText.
  /^[a-z]+(?:[-_.:][a-z]+){0,4}[-_.](?:password|secret|token|key)(?:_\d{1,3})?$/i,
  /^:[a-z:]+:?$/,
  // Reference to a secret store.
  /^(?:arn|file|vault|op|ssm|secretref):/,
  // Version, version range, or entry of /etc/passwd.
  /^[v^~<>= ]*\d+(?:\.[\dx*]+){1,3}(?:[-+][\w.-]{1,40})?(?: (?:\|\| |-|[<>^~]).*)?$/,
  /^x:\d/,
  // Versions and places of packages, tags of fields in Go, names of algorithms, magic numbers.
  /^(?:workspace|catalog|npm|link|portal|patch):/,
  /^(?:json|yaml|xml|toml|db|gorm|bson|mapstructure|env|form):"/,
  /^(?:PBKDF2With\w+|Hmac(?:SHA|MD)\d+|AES(?:[/_-]\w+)*|[EHPR]S(?:256|384|512)|SHA-?\d+|Ed25519)$/i,
  /^0x[\da-f]{1,16}$/i,
  // Numeric type of a programming language (`Uint8Array<ArrayBuffer>`, `uint64_t`), type named after an algorithm or a
  // format (`Ed25519PrivateKey`, `OAuth2Token`), name that a build replaces.
  /^(?:Big)?(?:U?Int|[Uu]?int|[Ff]loat)(?:8|16|32|64|128)(?:Clamped)?(?:Array|_t)?(?:[<[|?&].*)?$/,
  /^(?:O[Aa]uth2|S[Hh][Aa]\d{1,3}|M[Dd]5|Ed25519|Ed448|X25519|X448|X509|P256|P384|P521|Base(?:32|58|64)|[Bb]ytes\d{1,2})(?:[A-Z][a-z]+)*(?:V\d)?$/,
  /^__[A-Z]+(?:_[A-Z]+)*__$/,
  // Parameter of a query in SQL, kind of token in a parser, part of a grammar.
  /^:[a-z]+(?:[A-Z][a-z]+)+$|^\?[A-Z][A-Za-z]+$|^\*[a-z]+-[a-z]+$/,
  // Markup.
  /^<[\w:]+\s/,
  // Code: an expression, an empty template, the name of a token or cookie.
  /^\/\^|^\$\{[A-Za-z]|^![01]$|^[\w-]+:\$[A-Z_]+$/,
  // Beginning of a header, format with places for values, regular expression.
  /^(?:[A-Za-z-]+ )?(?:[a-z_-]*(?:key|token|secret|password)|Auth)=$/,
  /(?:^|[=:"' /&])%[sdv](?:$|["'&,; /])/,
  /\(\?[:=!<P]|^\^?\[[^\]]{1,64}\][{+*]|\\[wdsb][+*?{)]/,
  // Token that is shown in part: `eyJhbGciOiJS...`.
  /^(?:eyJ|[A-Za-z]{2,8}[-_])[\w-]{0,20}(?:\.{3}|…)$/,
  /^(?:[^\w$]|\$\{[^{}]*\})*$/,
  /^(?:\w*[a-z]Token|[A-Z_]+_TOKEN|[a-z]+[-.](?:cookie|token)|_?[A-Za-z]*(?:Private|Secret|Api|Access)Key)$/,
];

/** Maximum length of the beginning of a value that is judged. Some expressions take quadratic time, or state for each character. */
const JUDGED_LENGTH_MAX = 4_096;

function beginningOf(value: string): string {
  return value.length > JUDGED_LENGTH_MAX ? value.slice(0, JUDGED_LENGTH_MAX) : value;
}

/** End of a cut value. No expression matches it, because what was cut off is unknown. */
const CUT = '\0a';

function isStandIn(whole: string): boolean {
  const value = whole.length > JUDGED_LENGTH_MAX ? beginningOf(whole) + CUT : whole;
  if (isRedacted(whole)) return true;
  if (isCommonWord(value) || isFiller(value)) return true;
  if (/fake|dummy/i.test(value) && !looksRandom(value)) return true;
  return STAND_INS.some((pattern) => pattern.test(value)) && !holdsRandomWord(value);
}

/** Reports whether text in braces contains a long random word. Other text in braces is a template. */
function holdsRandomWord(value: string): boolean {
  return (
    /^\{[^{}$]*\s[^{}$]*\}?$/.test(value) &&
    value.split(/[\s{}]/).some((word) => word.length >= 16 && looksRandom(word))
  );
}

const FILLERS: readonly RegExp[] = [
  /x{6}|\*{6}|#{6}|not_a_real|put_?your|(?:EXAMPLE){3}|(?:1234567890){3}/i,
  /^A[KS]IA\w*EXAMPLE$/,
  /^[^A-Za-z]*1234567890[^A-Za-z]*$/,
  // Published keys from pages and samples of Google.
  /^AIza(?:Sy(?:AnLA7Nfe|CkEhVjf3|DMAScliy|D3asb-2p|AdOS2zB6|ASWm6HmT|ANUvH9H9|A5_iVawF|A4UrcGxg|DSb51JiI|BF2RrAIm|BcE-OOIb|B8qGxt4e|A8vmApnr)|yDNSXIbF)/,
];

/** Reports whether a value or token is only a filler: `ghp_xxxxxxxx…`. */
export function isFiller(value: string): boolean {
  const beginning = beginningOf(value);
  return FILLERS.some((pattern) => pattern.test(beginning));
}

/** Minimum length of a credential whose name says little. */
const RANDOM_LENGTH_MIN = 20;

/** Minimum length of the id of a session, which is random and short. */
const SESSION_LENGTH_MIN = 16;

/** A single word that is not a UUID. */
const IDENTIFIER = /^(?!(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})$)(?:\d{1,20}\|)?[\w+/=~.-]+$/i;

/** Number that people type in: a PIN or a one-time password. */
const CODE = /^\d{4,8}$/;

/** Reports whether the value of a credential's name can be a credential. Descriptions, types and addresses cannot. */
export function isPlausible(value: string, certainty: Certainty): boolean {
  const whole = value.trim();
  const text = beginningOf(whole);
  if (isStandIn(whole) || isDescription(text) || isAddress(text)) return false;
  if (certainty === 'sure') return true;
  if (certainty === 'if digits' || certainty === 'if code') {
    if (CODE.test(text)) return true;
    if (certainty === 'if digits') return false;
  }
  if (certainty === 'if made') return looksGenerated(text) && /^[\w+/=~-]+$/.test(text);
  if (certainty === 'if session')
    return text.length >= SESSION_LENGTH_MIN && looksRandom(text) && IDENTIFIER.test(text);
  if (certainty === 'if random') return text.length >= RANDOM_LENGTH_MIN && looksRandom(text) && IDENTIFIER.test(text);
  // Name in a program: `auth.test`.
  if (/^[a-z_]+(?:[.:][a-z_]*)+$/.test(text)) return false;
  return holdsRandomWord(text) || (!/\s/.test(text) && (looksGenerated(text) || text.length >= 8));
}

/**
 * Reports whether a word looks generated, or is a strong password: it mixes letters and digits, or is too long and
 * irregular for a name.
 */
export function looksGenerated(whole: string): boolean {
  const word = beginningOf(whole);
  if (word.length < 6 || isCommonWord(word)) return false;
  const hasDigit = /\d/.test(word);
  const hasLetter = /[A-Za-z]/.test(word);
  if (hasDigit && hasLetter) return true;
  if (isShuffled(word)) return true;
  if (hasDigit || hasLetter) return (word.length >= 20 && !isCompound(word)) || /[!#$%^&*+=~?@]/.test(word);
  return false;
}

/** Reports whether a word is a compound, like names in code: `doctypeInInitialMode`. */
function isCompound(word: string): boolean {
  const words = word.split(/[-_.]|(?<=[a-z])(?=[A-Z])/);
  return (
    isCamelCase(word) ||
    (words.length > 1 && words.every((part) => part.length < 15) && word.length / words.length > 3.5)
  );
}

/** Change between letters and digits. */
const TURN = /(?<=\d)[A-Za-z]|(?<=[A-Za-z])\d/g;

/** Reports whether a word is too random for natural language or a name. `Argon2id` is a name. */
export function looksRandom(whole: string): boolean {
  const word = beginningOf(whole);
  return (looksGenerated(word) && word.length >= 8 && (word.match(TURN)?.length ?? 0) >= 4) || isShuffled(word);
}

/** Change between lower case, upper case and digits. */
const CLASS_TURN = /(?<=[a-z])[A-Z\d]|(?<=[A-Z])[a-z\d]|(?<=\d)[A-Za-z]/g;
const SHUFFLED_LENGTH_MIN = 16;
/** Minimum share of changes in a shuffled word. Random letters have a half, names in code a third. */
const CLASS_TURNS_MIN = 0.4;

/** Reports whether a word has randomly mixed case, with or without digits. */
function isShuffled(word: string): boolean {
  if (word.length < SHUFFLED_LENGTH_MIN || !/^[A-Za-z\d_+/=-]+$/.test(word)) return false;
  if (!/[a-z]/.test(word) || !/[A-Z]/.test(word) || isCamelCase(word)) return false;
  return (word.match(CLASS_TURN)?.length ?? 0) >= CLASS_TURNS_MIN * word.length;
}

/** Minimum number of letters and digits of a strong password. Where code may stand, it is {@link SHUFFLED_IN_CODE_MIN}. */
const STRONG_LENGTH_MIN = 8;
/** The same for a value that could be code, whose names are short when it is minified. */
export const SHUFFLED_IN_CODE_MIN = 12;

/**
 * Reports whether a word is a strong password: its letters and digits change their kind at random, whatever punctuation
 * is between them. `k9<Lm(2x&Qz` is one.
 */
export function isStrongPassword(whole: string, lengthMin: number = STRONG_LENGTH_MIN): boolean {
  const word = beginningOf(whole);
  const letters = word.replace(/[^A-Za-z\d]/g, '');
  if (letters.length < lengthMin || /\s/.test(word) || !/[a-z]/.test(letters) || !/[A-Z\d]/.test(letters)) return false;
  return !isCamelCase(letters) && (letters.match(CLASS_TURN)?.length ?? 0) >= CLASS_TURNS_MIN * letters.length;
}

/** Minimum mean length of the words in a name of code. */
const CAMEL_WORD_LENGTH_MIN = 3;

/** Reports whether a word is a name of code in camel case: `onLastEventIdUpdate`. Its short words change case as often as random letters. */
function isCamelCase(word: string): boolean {
  const words = word.match(/[A-Z]/g)?.length ?? 0;
  return /^[a-z]*\d{0,3}(?:[A-Z][a-z]+\d{0,3})*$/.test(word) && word.length >= CAMEL_WORD_LENGTH_MIN * (words + 1);
}

/** Reports whether a word is a name as people write them: in one case, or in camel case. */
export function isNameOfCode(word: string): boolean {
  const isOneCase = !/[a-z]/.test(word) || !/[A-Z]/.test(word);
  return isOneCase || isCamelCase(word.replace(/[._-]/g, ''));
}

/** Minimum entropy of random text, in bits per character. A filler (`xxxxxxxx`) has less. */
const ENTROPY_MIN = 1.9;

/**
 * Reports whether the variable part of a token is random, and neither a filler nor made of words like names in code.
 */
export function isLeftToChance(whole: string): boolean {
  const text = beginningOf(whole);
  if (entropyOf(text) < ENTROPY_MIN || isFiller(text)) return false;
  if (!/[A-Za-z]/.test(text)) return text.length >= 20;
  if (/\d/.test(text)) return (text.match(TURN)?.length ?? 0) >= 2;
  const loud = text.replace(/[^A-Z]/g, '').length / text.length;
  return loud > 0.3 && loud < 0.85;
}

/** Returns the entropy in bits per character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const c of text) counts.set(c, (counts.get(c) ?? 0) + 1);
  return [...counts.values()].reduce((sum, n) => sum - (n / text.length) * Math.log2(n / text.length), 0);
}

/** Reports whether a text is a description: several words of a form or help page. */
function isDescription(text: string): boolean {
  return (
    /\s/.test(text) &&
    /\b(?:passwords?|passphrase|tokens?|secrets?|keys?|credentials?|auth\w*|cookies?|the|an?|is|for|your|used|must|optional|required)\b/i.test(
      text.replace(/^\S*:/, ''),
    ) &&
    /^[\p{L}\p{P}\s\d]*$/u.test(text) &&
    text.split(/\s+/).filter((word) => /\d/.test(word) && word.length > 5).length === 0
  );
}

const PATH = /^(?:\.{1,2}|~|[A-Za-z]:)(?:[\\/][\w.@ -]{1,40})+$|^(?:\/[a-z\d_.@%{}:-]{1,40})+\/?$/;
const FILE = /^(?:[\w.@-]{1,40}\/){1,16}[\w.@-]{1,40}\.[a-z]{2,4}$/;
/** Path of a package: `github.com/acme/tokens`. */
const PACKAGE = /^[a-z\d-]{1,40}(?:\.[a-z\d-]{1,40}){0,4}\.(?:com|io|net|org|dev|in)(?:\/[\w.-]{1,64}){1,16}$/;
const KNOWN_ROOT =
  /^\/(?:app|data|dev|etc|home|Library|mnt|opt|private|proc|root|run|secrets|srv|tmp|Users|usr|var)(?:\/[\w.@ -]{1,40})*$/;

/**
 * Reports whether a text is a path, or a URL without credentials: the location of a secret. Base64 may begin with a
 * slash, too.
 */
function isAddress(text: string): boolean {
  const isUrl = /^[a-z][a-z+.-]{1,15}:\/\/[^@\s]*$/i.test(text) && !/[?&#][\w-]*=/.test(text);
  return isUrl || PATH.test(text) || FILE.test(text) || PACKAGE.test(text) || KNOWN_ROOT.test(text);
}

/** Reports whether a value is distinctive enough to be replaced in all later text. */
export function isDistinctive(value: string): boolean {
  if (isStandIn(value) || value.includes('[redacted') || new Set(beginningOf(value)).size < 4) return false;
  const isMixed = /\d/.test(value) && /[^\d.,:\s-]/.test(value);
  return value.length >= (isMixed ? 6 : 8);
}

/** Words that stand in for a secret: types, answers, and words of examples and defaults. In lower case. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  `
  true false yes no on off null nil none undefined void empty unset default auto any all never always
  string number integer boolean object array list map bytes text str int bool char varchar uuid date datetime optional
  required readonly nullable unknown missing invalid valid expired revoked active inactive enabled disabled hidden
  masked redacted removed omitted present absent provided secret secrets token tokens password passwords passwd
  passphrase key keys apikey api_key api-key credential credentials auth authorization authentication authenticate
  cookie cookies bearer basic digest negotiate dpop oauth oauth2 jwt saml openid apitoken access_token refresh_token id_token
  client_secret client_credentials client_secret_basic client_secret_post private_key_jwt authorization_code
  include same-origin same-site anonymous public private internal external localhost loopback hostname username
  username@example.com example example.com dummy fake changeme change-me change_me placeholder sample testing test development
  production staging postgres postgresql mysql mariadb mongodb redis rabbitmq elasticsearch memcached administrator
  admin root guest user users system service services database application application/json text/plain keychain keyring
  environment variable variables config configuration settings options header headers query body param params
  please enter here this that with from your value values name names type types description title self
  `
    .trim()
    .split(/\s+/),
);

/** Reports whether a value is one of {@link COMMON_WORDS}. */
function isCommonWord(value: string): boolean {
  return COMMON_WORDS.has(value.toLowerCase());
}

/** Minimum digits of a secret number. Under `token` and the like, shorter ones are positions and pieces of text. */
const DIGITS_MIN = 6;
const TOKEN_DIGITS_MIN = 8;

/**
 * Reports whether a number under a credential's name is a secret. A short number is probably a count, like a number
 * under `tokens`.
 */
export function isNumericSecret({ name, certainty }: { name: string; certainty: Certainty }, lexeme: string): boolean {
  if (/\D/.test(lexeme) || /tokens$/i.test(name)) return false;
  if (CODE.test(lexeme) && (certainty === 'if digits' || certainty === 'if code'))
    return isPlausible(lexeme, certainty);
  const isShortEnough = certainty === 'sure' && !/token$/i.test(name);
  return lexeme.length >= (isShortEnough ? DIGITS_MIN : TOKEN_DIGITS_MIN) && isPlausible(lexeme, certainty);
}
