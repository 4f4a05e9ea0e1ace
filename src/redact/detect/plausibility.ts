import { isRedacted } from '../replace/placeholders.ts';
import type { Certainty } from './credential-names.ts';

const STAND_INS: readonly RegExp[] = [
  /^[^\p{L}\d]*$/u,
  /^(.)\1*$/,
  // A placeholder for the reader, a template, a shell or a format.
  /^<[^>]*>$/,
  /^\{\{?.*\}\}?$/,
  /^\$\{?\{?[\w.: -]*\}?\}?$/,
  /^%\w+%?$/,
  /^(?:your|my)[-_ ]\S*(?:token|key|secret|password)\S*$/i,
  /^\$?(?:process\.)?env[.:[(]/,
  /^insert[-_]|[-_]here$/i,
  // The name of a secret, or a role of reStructuredText.
  /^[a-z]+(?:[-_.][a-z]+){0,4}[-_.](?:password|secret|token|key)$/i,
  /^:[a-z:]+:?$/,
  // Kept elsewhere.
  /^(?:arn|file|vault|op|ssm|secretref):/,
  // A version or a range of them, an entry of /etc/passwd.
  /^[v^~<>= ]*\d+(?:\.[\dx*]+){1,3}(?:[-+][\w.-]{1,40})?(?: (?:\|\| |-|[<>^~]).*)?$/,
  /^x:\d/,
  // Markup.
  /^<[\w:]+\s/,
  // Code: an expression, an empty template, the name of a token or cookie.
  /^\/\^|^\$\{[A-Za-z]|^![01]$/,
  /^(?:[^\w$]|\$\{[^{}]*\})*$/,
  /^(?:\w*[a-z]Token|[A-Z_]+_TOKEN|[a-z]+[-.](?:cookie|token))$/,
];

function isStandIn(value: string): boolean {
  if (isCommonWord(value) || isRedacted(value) || isFiller(value)) return true;
  if (/fake|dummy/i.test(value) && !looksRandom(value)) return true;
  return STAND_INS.some((pattern) => pattern.test(value)) && !holdsRandomWord(value);
}

/** Text in braces is a template, but for one that has a long random word in it. */
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
  // Published: keys that pages and samples of Google show.
  /^AIza(?:Sy(?:AnLA7Nfe|CkEhVjf3|DMAScliy|D3asb-2p|AdOS2zB6|ASWm6HmT|ANUvH9H9|A5_iVawF|A4UrcGxg|DSb51JiI|BF2RrAIm|BcE-OOIb|B8qGxt4e|A8vmApnr)|yDNSXIbF)/,
];

/** Whether a value or a token only shows where one belongs: `ghp_xxxxxxxx…`. */
export function isFiller(value: string): boolean {
  return FILLERS.some((pattern) => pattern.test(value));
}

/** So long is what opens something, if its name says little. */
const RANDOM_LENGTH_MIN = 20;

/** One word, and none of the identifiers that everything has: a UUID. */
const IDENTIFIER = /^(?!(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})$)(?:\d{1,20}\|)?[\w+/=~.-]+$/i;

/** Whether a value that stands under the name of a credential can be one, and is not its description, type or address. */
export function isPlausible(value: string, certainty: Certainty): boolean {
  const text = value.trim();
  if (isStandIn(text) || isDescription(text) || isAddress(text)) return false;
  if (certainty === 'sure') return true;
  if (certainty === 'if made') return looksGenerated(text) && /^[\w+/=~-]+$/.test(text);
  if (certainty === 'if random') return text.length >= RANDOM_LENGTH_MIN && looksRandom(text) && IDENTIFIER.test(text);
  return holdsRandomWord(text) || (!/\s/.test(text) && (looksGenerated(text) || text.length >= 8));
}

/**
 * Whether a word was made by a machine, or by somebody who was told to: it mixes letters and digits, or is too long and
 * mixed to be a name.
 */
export function looksGenerated(word: string): boolean {
  if (word.length < 6 || isCommonWord(word)) return false;
  const hasDigit = /\d/.test(word);
  const hasLetter = /[A-Za-z]/.test(word);
  if (hasDigit && hasLetter) return true;
  if (isShuffled(word)) return true;
  if (hasDigit || hasLetter) return (word.length >= 20 && !isCompound(word)) || /[!#$%^&*+=~?@]/.test(word);
  return false;
}

/** Several words in one, as code names things: `doctypeInInitialMode`. */
function isCompound(word: string): boolean {
  const words = word.split(/[-_.]|(?<=[a-z])(?=[A-Z])/);
  return words.length > 2 && words.every((part) => part.length < 15) && word.length / words.length > 3.5;
}

/** Where a random word goes from letters to digits, or back. */
const TURN = /(?<=\d)[A-Za-z]|(?<=[A-Za-z])\d/g;

/** Whether a word is too random to be a word of a language or a name. `Argon2id` is a name. */
export function looksRandom(word: string): boolean {
  return (looksGenerated(word) && word.length >= 8 && (word.match(TURN)?.length ?? 0) >= 4) || isShuffled(word);
}

/** Where letters go from small to capital, or back. */
const CASE_TURN = /(?<=[a-z])[A-Z]|(?<=[A-Z])[a-z]/g;
const SHUFFLED_LENGTH_MIN = 16;
/** Of the characters of a word so many are turns at least. Chance gives a half, names in code a third. */
const CASE_TURNS_MIN = 0.4;

/** Whether a word of letters alone has small and capital ones as chance has them. */
function isShuffled(word: string): boolean {
  if (word.length < SHUFFLED_LENGTH_MIN || !/^[A-Za-z_+/=-]+$/.test(word)) return false;
  return (word.match(CASE_TURN)?.length ?? 0) >= CASE_TURNS_MIN * word.length;
}

/** So many bits has each character of what is left to chance, at least; a filler (`xxxxxxxx`) has fewer. */
const ENTROPY_MIN = 1.9;

/** Whether what varies in a token was left to chance, and is neither a filler nor made of words, as names in code are. */
export function isLeftToChance(text: string): boolean {
  if (entropyOf(text) < ENTROPY_MIN || isFiller(text)) return false;
  if (!/[A-Za-z]/.test(text)) return text.length >= 20;
  if (/\d/.test(text)) return (text.match(TURN)?.length ?? 0) >= 2;
  const loud = text.replace(/[^A-Z]/g, '').length / text.length;
  return loud > 0.3 && loud < 0.85;
}

/** In bits a character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const c of text) counts.set(c, (counts.get(c) ?? 0) + 1);
  return [...counts.values()].reduce((sum, n) => sum - (n / text.length) * Math.log2(n / text.length), 0);
}

/** Whether a text is a description: several words of a form or help page. */
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

const PATH = /^(?:\.{1,2}|~|[A-Za-z]:)(?:[\\/][\w.@ -]{1,40})+$|^(?:\/[a-z\d_.@-]{1,40})+\/?$/;
const FILE = /^(?:[\w.@-]{1,40}\/){1,16}[\w.@-]{1,40}\.[a-z]{2,4}$/;
const KNOWN_ROOT =
  /^\/(?:app|data|dev|etc|home|Library|mnt|opt|private|proc|root|run|secrets|srv|tmp|Users|usr|var)(?:\/[\w.@ -]{1,40})*$/;

/** A path, or a URL without credentials: where the secret is kept, not what it is. Base64 may begin with a slash, too. */
function isAddress(text: string): boolean {
  const isUrl = /^[a-z][a-z+.-]{1,15}:\/\/[^@\s]*$/i.test(text) && !/[?&#][\w-]*=/.test(text);
  return isUrl || PATH.test(text) || FILE.test(text) || KNOWN_ROOT.test(text);
}

/** Whether a value is specific enough to be searched for in all later text. */
export function isDistinctive(value: string): boolean {
  if (isStandIn(value) || value.includes('[redacted') || new Set(value).size < 4) return false;
  const isMixed = /\d/.test(value) && /[^\d.,:\s-]/.test(value);
  return value.length >= (isMixed ? 6 : 8);
}

/** Words in place of a secret that are none: types, answers, and words of examples and defaults. In lower case. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  `
  true false yes no on off null nil none undefined void empty unset default auto any all never always
  string number integer boolean object array list map bytes text str int bool char varchar uuid date datetime optional
  required readonly nullable unknown missing invalid valid expired revoked active inactive enabled disabled hidden
  masked redacted removed omitted present absent provided secret secrets token tokens password passwords passwd
  passphrase key keys apikey api_key api-key credential credentials auth authorization authentication authenticate
  cookie cookies bearer basic digest negotiate oauth oauth2 jwt saml openid apitoken access_token refresh_token id_token
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

/** Whether a value is a common word. */
function isCommonWord(value: string): boolean {
  return COMMON_WORDS.has(value.toLowerCase());
}
