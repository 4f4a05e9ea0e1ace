/** How surely what stands under a name is a secret: `sure` for `password`, `perhaps` for `token`, which counts other things too. */
export type Certainty = 'sure' | 'perhaps';

// Of a name, joined and in lower case: what it ends with says what it names.
const SURE =
  /(?:password|passwd|passphrase|passcode|(?<!old|^)pwd|userpass|dbpass|secret|token|api[sk]*key|apikeyvalue|privatekey|secretkey|accesskey|accountkey|signingkey|encryptionkey|masterkey|authkey|sharedkey|sharedaccesskey|servicekey|servicerolekey|licen[sc]ekey|webhooksecret|authorization|cookie|clientassertion|codeverifier|mnemonic|seedphrase|recoverycode|dpop|xamzsignature|mcpsessionid)$/;
const PERHAPS =
  /^(?:tokens?|secrets?|apikeys|pass|auth|credentials?|jwt|bearer|cookies|sig|signature|otp|totp|cvv|passwords|accesstokens|refreshtokens|authcode|recoverycodes)$/;

// Tokens that are places in a list, pieces of text, or marks that a program compares; and what only speaks of a secret.
const NO_SECRET =
  /(?:progress|page|cursor|continuation|cancellation|(?:^| )(?:cancel|continue|next|prev|previous|sync|resume|resumption|delta|max|min|num|total|count|per|input|output|prompt|completion|reasoning|cached?|used|budget|stop|eos|bos|pad|unk|sep|cls|mask|special|end|start|begin|first|last|idempotency|time|thinking|image|audio|text|sub|lookahead|design)) ?tokens?$|^(?:has|is|no|use|uses|with|needs?|requires?|show|hide|allow|enable|disable|max|min|num) /;

const CACHE_MAX = 5_000;
const cache = new Map<string, Certainty | undefined>();

/** What a key, a header, an option or a variable says of its value. Undefined: nothing that makes it a secret. */
export function credentialNamed(name: string): Certainty | undefined {
  if (cache.has(name)) return cache.get(name);
  const certainty = judge(name);
  if (cache.size < CACHE_MAX && name.length < 100) cache.set(name, certainty);
  return certainty;
}

function judge(name: string): Certainty | undefined {
  if (name.length > 200 || name.includes('[redacted:')) return undefined;
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z]+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/(?<=.) (?:value|hash|confirmation|confirm|raw|plaintext|b64|base64)$/, '');
  const joined = words.replaceAll(' ', '');
  if (PERHAPS.test(joined)) return 'perhaps';
  return SURE.test(joined) && !NO_SECRET.test(words) ? 'sure' : undefined;
}

/** Whether an environment variable is there to hold a secret. More of their names do than of other names: `STRIPE_KEY`. */
export function isCredentialVariable(name: string): boolean {
  return (
    credentialNamed(name) !== undefined || /(?<!public)_(?:key|pat|pass|auth|creds|credentials)$/i.test(name)
  );
}

/** A piece of each name, for the first look. */
export const NAME_GRAMS: readonly string[] = [
  ...[
    'pas',
    'pwd',
    'ecr',
    'oke',
    'key',
    'uth',
    'oki',
    'jwt',
    'rer',
    'sig',
    'otp',
    'cvv',
    'ede',
    'sse',
    'rif',
  ],
  ...['mne', 'edp', 'ryc', 'y_c', 'dpo', 'd_p', 'd-p', 'y-c', 'mcp'],
];
