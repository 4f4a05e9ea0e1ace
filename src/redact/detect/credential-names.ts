/**
 * How surely what stands under a name is a secret: `sure` for `password`, `perhaps` for `token`, which counts other things
 * too, `if made` for `STRIPE_KEY`, whose value tells, `if random` for `mapKey`, which is seldom that of a secret.
 */
export type Certainty = 'sure' | 'perhaps' | 'if made' | 'if random';

/** Endings of credential names, in lower case, letters only. */
const NOUNS = `
  password passwd passphrase passcode userpass dbpass secret token apikey apisecretkey privatekey secretkey accesskey
  accountkey signingkey encryptionkey masterkey authkey sharedkey servicekey servicerolekey licensekey licencekey
  subscriptionkey functionskey tokenkey hmackey devicecode tokenhint passwort motdepasse
  secrete jfrogartapi authorization cookie clientassertion codeverifier mnemonic seedphrase recoverycode dpop mcpsessionid`;
const SURE = new RegExp(`(?:${alternatives(NOUNS)}|(?<!old|^)pwd)$`);

/** Whole names, written alike, that are those of other things as well. */
const PERHAPS = new RegExp(
  `^(?:${alternatives(`
  token tokens secret secrets passwords apikeys pass auth authcode credential credentials jwt bearer cookies sig signature
  otp totp cvv pwd accesstokens refreshtokens recoverycodes`)})$`,
);

/** What comes before "token" when it is a place in a list, a piece of text, or a mark that a program compares. */
const NO_SECRET_TOKENS = `
  cancel continue next prev previous sync resume resumption delta max min num total count per input output prompt completion
  reasoning cache cached used budget stop eos bos pad unk sep cls mask special end start begin first last idempotency time
  thinking image audio text sub lookahead design`;
const NO_SECRET_TOKEN = new RegExp(
  `(?:progress|page|cursor|continuation|cancellation|(?:^| )(?:${alternatives(NO_SECRET_TOKENS)})) ?tokens?$`,
);

/** What a name begins with that only speaks of a secret: `hasPassword`. */
const SPEAKS_OF = /^(?:has|is|no|public|use|uses|with|needs?|requires?|show|hide|allow|enable|disable|max|min|num) /;

/** Environment variables, wherever they are listed; but for keys that open nothing. */
const KEY_VARIABLE = /^[A-Z][A-Z\d_]*_(?:KEY|CREDS)$/;
const OPENS_NOTHING = new RegExp(
  `_?(?:${alternatives(`
  PRIMARY SORT PARTITION FOREIGN PUBLIC CACHE RANGE HASH INDEX ROUTING SHARD OBJECT S3 CONFIG LOOKUP GROUP MAP JSON BUCKET
  IDEMPOTENCY UNIQUE COMPOSITE ROW COLUMN FIELD FUNCTION REGISTRY ISSUE PROJECT TICKET ORDER SEARCH SORTING`)})_KEY$`,
);

/** Names of two words and more that say what opens something, if what stands there was made to: `ssh_pass`, `GH_PAT`. */
const OPENS = /. (?:pass|pw|pat)$/;

/** What comes before "key" when it finds, orders or shows something, or anybody may have it. */
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

/** Where a credential is used: `password_prod`. What stands before is its name. */
const STAGES = new RegExp(
  `(?<=.) (?:${alternatives(`
  prod production dev development staging stage test testing qa uat local live sandbox super secure sec`)})$`,
);

/** What goes on after the name of a credential, unless it ends in what a secret has: its id, its length. */
const GOES_ON = /(?:^| )(?:password|passwd|secret|api ?key|private key|access key) .+/;
const SAYS_OTHER = new RegExp(
  `(?:^| )(?:${alternatives(`
  id ids name names url uri arn type kind count length size path file dir expiry expires expiration at date time version
  endpoint host field label prompt hint text message error policy rule rules regex pattern format manager provider class
  encoder service ref reference store engine lease key version alias hash digest`)})$`,
);

const CACHE_MAX = 5_000;
const cache = new Map<string, Certainty | 'no'>();

/** What a key, a header, an option or a variable says of its value. Undefined: nothing that makes it a secret. */
export function credentialNamed(name: string): Certainty | undefined {
  const known = cache.get(name);
  if (known !== undefined) return known === 'no' ? undefined : known;
  const certainty = judge(name);
  if (cache.size < CACHE_MAX && name.length < 100) cache.set(name, certainty ?? 'no');
  return certainty;
}

function judge(name: string): Certainty | undefined {
  if (name.length > 200 || name.includes('[redacted:')) return undefined;
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
  const isSecret = SURE.test(joined) && !NO_SECRET_TOKEN.test(words) && !SPEAKS_OF.test(words);
  if (isSecret) return 'sure';
  if ((KEY_VARIABLE.test(name) && !OPENS_NOTHING.test(name)) || OPENS.test(words)) return 'if made';
  if (SPEAKS_OF.test(words)) return undefined;
  const isKey = / key$/.test(words) && !FINDS.test(words);
  const goesOn = GOES_ON.test(words) && !SAYS_OTHER.test(words);
  return isKey || goesOn || / auth$/.test(words) ? 'if random' : undefined;
}

/** Whether an environment variable is there to hold a secret. More of their names do than of other names: `STRIPE_KEY`. */
export function isCredentialVariable(name: string): boolean {
  if (/^(?:old)?pwd$/i.test(name)) return false;
  return credentialNamed(name) !== undefined || /(?<!public)_(?:key|pat|pass|auth|creds|credentials)$/i.test(name);
}

/** A piece of each name, for the first look. */
export const NAME_GRAMS: readonly string[] =
  'pas pwd ecr oke key uth oki jwt rer sig otp cvv ede sse rif mne phr cov dpo p-s psi p_s e_c cec de= _pw -pw _pa jfr'.split(
    ' ',
  );
