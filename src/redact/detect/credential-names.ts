/**
 * Certainty that the value of a name is a secret. `sure`: e.g. `password`. `perhaps`: e.g. `token`, which may also be a
 * counter. `if made`: e.g. `STRIPE_KEY`, if the value looks generated. `if random`: e.g. `mapKey`, which is rarely a
 * credential. `if session`: e.g. `sessionId`, if the value is random and no UUID. `if digits`: `pin`, if the value has 4 to 8
 * digits. `if code`: `otp`, for such digits, and otherwise as `perhaps`.
 */
export type Certainty = 'sure' | 'perhaps' | 'if made' | 'if random' | 'if session' | 'if digits' | 'if code';

/** Endings of credential names, in lower case, letters only. */
const NOUNS = `
  password passwd passphrase passcode userpass dbpass secret token apikey apisecretkey privatekey secretkey accesskey
  accountkey signingkey encryptionkey masterkey authkey sharedkey servicekey servicerolekey licensekey licencekey
  subscriptionkey functionskey tokenkey hmackey devicecode tokenhint passwort motdepasse
  secrete jfrogartapi authorization cookie clientassertion codeverifier mnemonic seedphrase recoverycode dpop mcpsessionid`;
const SURE = new RegExp(`(?:${alternatives(NOUNS)}|(?<!old|^)pwd)$`);

/** Complete names of credentials that also name other things. */
const PERHAPS = new RegExp(
  `^(?:${alternatives(`
  token tokens secret secrets passwords apikeys pass auth authcode credential credentials creds jwt bearer cookies
  cvv pwd accesstokens refreshtokens recoverycodes`)})$`,
);

/** Words before "token" that make it a list position, a piece of text, or a marker that programs compare. */
const NO_SECRET_TOKENS = `
  cancel continue next prev previous sync resume resumption delta max min num total count per input output prompt completion
  reasoning cache cached used budget stop eos bos pad unk sep cls mask special end start begin first last idempotency time
  thinking image audio text sub lookahead design`;
const NO_SECRET_TOKEN = new RegExp(
  `(?:progress|page|cursor|continuation|cancellation|(?:^| )(?:${alternatives(NO_SECRET_TOKENS)})) ?tokens?$`,
);

/**
 * Names of session ids, and complete ones of such ids and of keys of licenses. Their values are often numbers or words, and some
 * servers give an id to everybody. `session` is none: tools return such a handle and take it again.
 */
const SESSION = /(?:session|sess)id$|^(?:sid|license|licence)$/;

/** Beginnings of names that only describe a secret: `hasPassword`. */
const SPEAKS_OF =
  /^(?:has|is|no|public|use|uses|with|needs?|requires?|show|hide|allow|enable|disable|max|min|num|get|list|delete|generate) /;

/** Environment variables of keys, except for keys that give no access. */
const KEY_VARIABLE = /^[A-Z][A-Z\d_]*_(?:KEY|CREDS|PAT)$/;
const OPENS_NOTHING = new RegExp(
  `_?(?:${alternatives(`
  PRIMARY SORT PARTITION FOREIGN PUBLIC CACHE RANGE HASH INDEX ROUTING SHARD OBJECT S3 CONFIG LOOKUP GROUP MAP JSON BUCKET
  IDEMPOTENCY UNIQUE COMPOSITE ROW COLUMN FIELD FUNCTION REGISTRY ISSUE PROJECT TICKET ORDER SEARCH SORTING STORAGE`)})_KEY$`,
);

/** Names of several words for a credential, if its value looks generated: `ssh_pass`. */
const OPENS = /. (?:pass|pw)$/;

/** Names of random values: signatures, and personal access tokens such as `GH_PAT`. */
const RANDOM = /^(?:sig|signature)$|. pat$/;

/** Words before "key" that make it a lookup, sorting or display key, or a public one. */
const FINDS = new RegExp(
  `(?:^| )(?:${alternatives(`
  primary sort partition foreign public publishable pub cache range hash index routing shard object config lookup group map
  json bucket
  idempotency unique composite row column field function registry issue project ticket order search sorting schema sequence
  data item node react parent child step event message translation i18n locale storage selection state query
  dedupe dedup host natural package resource file document image blob asset license result lock test tag label option hot`)}) key$`,
);

function alternatives(words: string): string {
  return words.trim().split(/\s+/).join('|');
}

/** Suffixes for the environment of a credential: `password_prod`. The rest is its name. */
const STAGES = new RegExp(
  `(?<=.) (?:${alternatives(`
  prod production dev development staging stage test testing qa uat local live sandbox super secure sec`)})$`,
);

/** Credential names with further words, unless those describe a property of the secret, such as its id or length. */
const GOES_ON = /(?:^| )(?:password|passwd|secret|api ?key|private key|access key) .+/;
const SAYS_OTHER = new RegExp(
  `(?:^| )(?:${alternatives(`
  id ids name names url uri arn type kind count length size path file dir expiry expires expiration at date time version
  endpoint host field label prompt hint text message error policy rule rules regex pattern format manager provider class
  encoder service ref reference store engine lease key version alias hash digest`)})$`,
);

const CACHE_MAX = 5_000;
const cache = new Map<string, Certainty | 'no'>();

/**
 * Returns the certainty that a key, header, option or variable of this name holds a secret. Undefined: it probably does
 * not.
 */
export function credentialNamed(name: string): Certainty | undefined {
  const known = cache.get(name);
  if (known !== undefined) return known === 'no' ? undefined : known;
  const certainty = judge(name);
  if (cache.size < CACHE_MAX && name.length < 100) cache.set(name, certainty ?? 'no');
  return certainty;
}

/** Name of a package: `@acme/rule-1password`. */
const PACKAGE = /^@[\w.-]+\//;

function judge(name: string): Certainty | undefined {
  // A text of several lines is no name.
  if (name.length > 200 || PACKAGE.test(name) || name.includes('[redacted:') || /\S\s*[\r\n]\s*\S/.test(name))
    return undefined;
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z]+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/(?<=.) (?:value|(?<! key )hash|confirmation|confirm|raw|plaintext|b64|base64)$/, '')
    .replace(STAGES, '')
    .replace(STAGES, '');
  const joined = words.replaceAll(' ', '');
  if (PERHAPS.test(joined)) return 'perhaps';
  if (joined === 'otp' || joined === 'totp') return 'if code';
  if (joined === 'pin') return 'if digits';
  const isSecret = SURE.test(joined) && !NO_SECRET_TOKEN.test(words) && !SPEAKS_OF.test(words);
  if (isSecret) return 'sure';
  if ((KEY_VARIABLE.test(name) && !OPENS_NOTHING.test(name)) || OPENS.test(words)) return 'if made';
  if (SPEAKS_OF.test(words)) return undefined;
  if (RANDOM.test(words)) return 'if random';
  if (SESSION.test(joined)) return 'if session';
  const isKey = / key$/.test(words) && !FINDS.test(words);
  const goesOn = GOES_ON.test(words) && !SAYS_OTHER.test(words);
  return isKey || goesOn || / auth$/.test(words) ? 'if random' : undefined;
}

/**
 * Reports whether an environment variable is meant for a secret, such as `STRIPE_KEY`. More names count than elsewhere.
 */
export function isCredentialVariable(name: string): boolean {
  if (/^(?:old)?pwd$/i.test(name)) return false;
  const certainty = credentialNamed(name);
  if (certainty === 'if session' || certainty === 'if digits') return false;
  return certainty !== undefined || /(?<!public)_(?:key|pat|pass|auth|creds|credentials)$/i.test(name);
}

/** A trigram of each name, for the prefilter. */
export const NAME_GRAMS: readonly string[] =
  'pas pwd ecr oke key uth oki jwt rer sig otp cvv ede sse rif mne phr cov dpo p-s psi p_s e_c cec de= _pw -pw _pa jfr nid n_i hps eds sid cen pin'.split(
    ' ',
  );
