/**
 * Kind of secret with a known format. The pattern is tried `back` characters before each of `starts`. The secret is its
 * first group, or the whole match.
 */
export interface TokenPattern {
  name: string;
  /** Beginnings, each with at least three characters. */
  starts: readonly string[];
  back: number;
  pattern: RegExp;
  /** Whether all tokens contain a base64 run. Texts without such a run are then skipped. */
  hasRun?: boolean;
  /** Whether names have the same format. The variable part must then look random. */
  isLoose?: boolean;
  /**
   * Characters of the token's first part. Set it if another token can begin inside that part, and a match depends on
   * what follows. Once the pattern fails, it is skipped at later starts in the same run of these characters.
   */
  run?: RegExp;
}

/** Returns an example of a token, in two parts, so that secret scanners ignore this file. Only tests need it, and each recorder starts. */
type Example = () => readonly [string, string];

/** Token pattern with an example. */
export interface TokenKind extends TokenPattern {
  example: Example;
}

function kind(name: string, starts: string, pattern: RegExp, example: Example, back = 0): TokenKind {
  return { name, starts: starts.split(' '), back, pattern, example };
}

/** Returns `n` characters that look random enough for an example. */
function sample(alphabet: string, n: number): string {
  return Array.from({ length: n }, (_, i) => alphabet[(i * i * 7 + i * 11 + 5) % alphabet.length]).join('');
}

function each(digits: string, start: (digit: string) => string): string {
  return [...digits].map(start).join(' ');
}

const HEX = '0123456789abcdef';
const WORD = 'aZ3kQ9xB7mT2pL5vR8nC1wD6yF4hJ0gS';
const UPPER = 'K7QX2MZ9B4VT';
const DIGITS = '1234567890';

/** Kinds of secrets with an unmistakable format. */
export const TOKEN_PATTERNS: readonly TokenKind[] = [
  kind('aws-access-key', 'AKIA ASIA ABIA ACCA A3T', /A(?:[KSB]IA|CCA|3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])/, () => [
    'AKIA',
    sample(UPPER, 16),
  ]),
  kind('aws-bedrock-key', 'ABSK', /ABSK[A-Za-z0-9+/]{100,}={0,2}/, () => ['ABSK', sample(WORD, 128)]),
  kind(
    'github-token',
    'ghp_ gho_ ghu_ ghs_ ghr_',
    /gh(?:[pousr]_[A-Za-z0-9]{36,}|s_\d{1,20}_eyJ[\w-]{10,}\.[\w-]+\.[\w-]+)/,
    () => ['ghp_', sample(WORD, 36)],
  ),
  kind('github-fine-grained-token', 'github_pat_', /github_pat_\w{36,}/, () => ['github_pat_', sample(WORD, 82)]),
  kind(
    'gitlab-token',
    'glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glagent- gloas- glimt- glffct- GR1348941',
    /(?:gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas|imt|ffct)-|GR1348941)[\w-]{20,}(?:(?:\.[0-9a-z]{2})?\.[0-9a-z]{9}(?![A-Za-z0-9]))?/,
    () => ['glpat-', sample(WORD, 20)],
  ),
  {
    ...kind(
      'slack-token',
      'xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxc- xoxd- xapp-',
      /(?:xox[abcdeoprs]|xapp)-(?=[\w%.-]{0,64}\d)[\w%.-]{10,}/,
      () => ['xoxb-', `${sample(DIGITS, 12)}-${sample(WORD, 24)}`],
    ),
    isLoose: true,
  },
  // Tokens of the first years: the numbers of a team and a bot, and few letters.
  kind('slack-legacy-token', 'xoxa- xoxb- xoxo- xoxp- xoxr- xoxs-', /xox[aboprs]-\d{8,13}-\d{8,13}[\w-]{0,64}/, () => [
    'xoxb-',
    `${sample(DIGITS, 12)}-${sample(DIGITS, 12)}u`,
  ]),
  kind('slack-webhook', 'hooks.slack.com/', /hooks\.slack\.com\/(?:services|workflows|triggers)\/([\w/-]{20,})/, () => [
    'https://hooks.slack.com/',
    `services/T${sample(UPPER, 8)}/B${sample(UPPER, 8)}/${sample(WORD, 24)}`,
  ]),
  kind('zapier-webhook', 'hooks.zapier.com/', /hooks\.zapier\.com\/hooks\/catch\/([\w/]{15,})/, () => [
    'https://hooks.zapier.com/',
    `hooks/catch/1234567/${sample(WORD, 7)}`,
  ]),
  // Addresses that take messages from everybody who knows them, after the documentation of Microsoft, Make and IFTTT.
  kind(
    'office-webhook',
    '.webhook.office.com/',
    /\.webhook\.office\.com\/webhookb2\/([\w-]{36}@[\w-]{36}\/IncomingWebhook\/\w{32}\/[\w-]{36,128})/,
    () => [
      'https://acme.webhook.office.com/',
      `webhookb2/${sample(HEX, 36)}@${sample(HEX, 36)}/IncomingWebhook/${sample(HEX, 32)}/${sample(HEX, 36)}`,
    ],
  ),
  kind('make-webhook', '.make.com/', /\.make\.com\/([a-z0-9]{32})(?![A-Za-z0-9])/, () => [
    'https://hook.eu1.make.com/',
    sample(`${HEX}ghijk`, 32),
  ]),
  kind(
    'ifttt-webhook',
    'maker.ifttt.com/',
    /maker\.ifttt\.com\/(?:use\/|trigger\/\w{1,64}\/(?:json\/)?with\/key\/)([\w-]{20,64})/,
    () => ['https://maker.ifttt.com/', `trigger/door_open/with/key/${sample(WORD, 43)}`],
  ),
  kind('tines-webhook', '.tines.com/', /\.tines\.com\/webhook\/([a-z0-9]{32}\/[a-z0-9]{32})(?![A-Za-z0-9])/, () => [
    'https://acme.tines.com/',
    `webhook/${sample(HEX, 32)}/${sample(HEX, 32)}`,
  ]),
  kind(
    'softlayer-key',
    'softlayer.com/',
    /softlayer\.com\/(?:soap|xmlrpc)\/v3(?:\.1)?\/([a-z0-9]{64})(?![A-Za-z0-9])/,
    () => ['https://api.softlayer.com/', `soap/v3/${sample(HEX, 64)}`],
  ),
  kind('airtable-oauth-token', 'oaa', /oaa[A-Za-z0-9]{14}\.v1\.[\w-]{20,}\.[a-f0-9]{64}(?![A-Za-z0-9])/, () => [
    'oaa',
    `${sample(WORD, 14)}.v1.${sample(WORD, 40)}.${sample(HEX, 64)}`,
  ]),
  kind('discord-webhook', 'api/webhooks/', /api\/webhooks\/\d{15,}\/([\w-]{50,})/, () => [
    'https://discord.com/api/webhooks/',
    `${sample(DIGITS, 18)}/${sample(WORD, 68)}`,
  ]),
  kind('stripe-key', 'sk_live_ sk_test_ rk_live_ rk_test_', /[sr]k_(?:live|test)_[A-Za-z0-9]{16,}/, () => [
    'sk_live_',
    sample(WORD, 24),
  ]),
  kind('webhook-secret', 'whsec_', /whsec_[A-Za-z0-9+/]{24,}=*/, () => ['whsec_', sample(WORD, 32)]),
  kind('google-api-key', 'AIza', /AIza[\w-]{35}(?![\w-])/, () => ['AIza', sample(WORD, 35)]),
  kind('google-oauth-secret', 'GOCSPX-', /GOCSPX-[\w-]{20,}/, () => ['GOCSPX-', sample(WORD, 28)]),
  kind('google-access-token', 'ya29.', /ya29\.[\w-]{20,}/, () => ['ya29.', sample(WORD, 60)]),
  kind('google-refresh-token', '1//0', /1\/\/0[\w-]{30,}/, () => ['1//0', sample(WORD, 50)]),
  kind('npm-token', 'npm_', /npm_[A-Za-z0-9]{36,}/, () => ['npm_', sample(WORD, 36)]),
  kind('pypi-token', 'pypi-', /pypi-[\w-]{50,}/, () => ['pypi-', sample(WORD, 100)]),
  kind('rubygems-key', 'rubygems_', /rubygems_[a-f0-9]{48}/, () => ['rubygems_', sample(HEX, 48)]),
  kind('nuget-key', 'oy2', /oy2[a-z0-9]{43}(?![A-Za-z0-9])/, () => ['oy2', sample('a7k2m9x4q', 43)]),
  kind('1password-service-account-token', 'ops_eyJ', /ops_eyJ[A-Za-z0-9+/=_-]{100,}/, () => [
    'ops_eyJ',
    sample(WORD, 250),
  ]),
  kind('docker-token', 'dckr_pat_ dckr_oat_', /dckr_[po]at_[\w-]{20,}/, () => ['dckr_pat_', sample(WORD, 27)]),
  kind('anthropic-key', 'sk-ant-', /sk-ant-[\w-]{20,}/, () => ['sk-ant-', `api03-${sample(WORD, 95)}`]),
  kind('openai-key', 'sk-', /sk-(?:(?:proj|svcacct|admin|None)-[\w-]{20,}|[A-Za-z0-9]{32,})/, () => [
    'sk-',
    `proj-${sample(WORD, 60)}`,
  ]),
  kind('openrouter-key', 'sk-or-v1-', /sk-or-v1-[a-f0-9]{40,}/, () => ['sk-or-v1-', sample(HEX, 64)]),
  { ...kind('huggingface-token', 'hf_', /hf_[A-Za-z0-9]{30,}/, () => ['hf_', sample(WORD, 34)]), isLoose: true },
  kind('groq-key', 'gsk_', /gsk_[A-Za-z0-9]{40,}/, () => ['gsk_', sample(WORD, 52)]),
  kind('perplexity-key', 'pplx-', /pplx-[A-Za-z0-9]{40,}/, () => ['pplx-', sample(WORD, 48)]),
  kind('replicate-token', 'r8_', /r8_[A-Za-z0-9]{36,}/, () => ['r8_', sample(WORD, 37)]),
  kind('langsmith-key', 'lsv2_', /lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}/, () => [
    'lsv2_',
    `pt_${sample(HEX, 32)}_${sample(HEX, 10)}`,
  ]),
  kind('azure-storage-key', 'AccountKey=', /AccountKey=([A-Za-z0-9+/]{40,}={0,2})/, () => [
    'AccountKey=',
    `${sample(WORD, 86)}==`,
  ]),
  kind('azure-shared-access-key', 'SharedAccessKey=', /SharedAccessKey=([A-Za-z0-9+/]{40,}={0,2})/, () => [
    'SharedAccessKey=',
    `${sample(WORD, 43)}=`,
  ]),
  kind('azure-sas', 'sig=', /sig=((?:[A-Za-z0-9+/]|%2[BbFf]){40,1024}(?:%3[Dd]|=){0,2})/, () => [
    '?sv=2024-11-04&sig=',
    `${sample(WORD, 43)}%3D`,
  ]),
  kind(
    'azure-client-secret',
    each(DIGITS, (digit) => `${digit}Q~`),
    /[\w.~-]{3}\dQ~[\w.~-]{31,34}(?![\w~-])/,
    () => ['aB3', `8Q~${sample(WORD, 34)}`],
    3,
  ),
  kind(
    'twilio-key',
    each(HEX, (digit) => `SK${digit}`),
    /SK[a-f0-9]{32}(?![A-Za-z0-9])/,
    () => ['SK', sample(HEX, 32)],
  ),
  kind('sendgrid-key', 'SG.', /SG\.[\w-]{16,}\.[\w-]{16,}/, () => ['SG.', `${sample(WORD, 22)}.${sample(WORD, 43)}`]),
  kind(
    'mailgun-key',
    each(HEX, (digit) => `key-${digit}`),
    /key-[a-f0-9]{32}(?![A-Za-z0-9])/,
    () => ['key-', sample(HEX, 32)],
  ),
  kind('mailchimp-key', '-us', /[a-f0-9]{32}-us\d{1,2}(?![A-Za-z0-9])/, () => [sample(HEX, 32), '-us14'], 32),
  kind('telegram-token', ':AA', /(?<=\d{8,10}):(AA[\w-]{32,35})/, () => [
    `${sample(DIGITS, 9)}:`,
    `AA${sample(WORD, 33)}`,
  ]),
  kind('shopify-token', 'shpat_ shpca_ shppa_ shpss_', /shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/, () => [
    'shpat_',
    sample(HEX, 32),
  ]),
  kind('square-token', 'sq0atp- sq0csp- sq0idp-', /sq0(?:atp|csp|idp)-[\w-]{22,}/, () => ['sq0atp-', sample(WORD, 22)]),
  kind('digitalocean-token', 'dop_v1_ doo_v1_ dor_v1_', /do[opr]_v1_[a-f0-9]{64}/, () => ['dop_v1_', sample(HEX, 64)]),
  kind('netlify-token', 'nfp_', /nfp_[A-Za-z0-9]{36,}/, () => ['nfp_', sample(WORD, 36)]),
  kind('fly-token', 'fm1r_ fm2_', /fm(?:1r|2)_[\w+/=-]{40,}/, () => ['fm2_', sample(WORD, 100)]),
  kind('supabase-key', 'sbp_ sb_secret_', /(?:sbp_[a-f0-9]{40}|sb_secret_[\w-]{20,})/, () => [
    'sb_secret_',
    sample(WORD, 31),
  ]),
  kind('planetscale-token', 'pscale_', /pscale_(?:tkn|pw|oauth)_[\w.-]{32,}/, () => [
    'pscale_',
    `tkn_${sample(WORD, 43)}`,
  ]),
  kind('databricks-token', 'dapi', /dapi[a-f0-9]{32}(?:-\d)?(?![A-Za-z0-9])/, () => ['dapi', sample(HEX, 32)]),
  kind(
    'terraform-token',
    '.atlasv1.',
    /[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}/,
    () => [sample(WORD, 14), `.atlasv1.${sample(WORD, 67)}`],
    14,
  ),
  kind('vault-token', 'hvs. hvb. hvr.', /hv[sbr]\.[\w-]{24,}/, () => ['hvs.', sample(WORD, 90)]),
  kind(
    'doppler-token',
    'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.',
    /dp\.(?:pt|ct|sa|scim|audit|st(?:\.[\w-]{2,35})?)\.[A-Za-z0-9]{40,}/,
    () => ['dp.pt.', sample(WORD, 43)],
  ),
  kind('age-secret-key', 'AGE-SECRET-KEY-1', /AGE-SECRET-KEY-1[0-9A-Z]{58}/, () => [
    'AGE-SECRET-KEY-1',
    sample(UPPER, 58),
  ]),
  kind('sentry-token', 'sntrys_ sntryu_', /(?:sntrys_eyJ[\w=+/-]{37,}|sntryu_[a-f0-9]{64}(?![A-Za-z0-9]))/, () => [
    'sntryu_',
    sample(HEX, 64),
  ]),
  kind('grafana-token', 'glsa_ glc_', /(?:glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}|glc_[A-Za-z0-9+/]{32,}={0,2})/, () => [
    'glsa_',
    `${sample(WORD, 32)}_${sample(HEX, 8)}`,
  ]),
  kind('new-relic-key', 'NRAK- NRJS-', /NR(?:AK|JS)-[A-Za-z0-9]{19,}/, () => ['NRAK-', sample(UPPER, 27)]),
  kind('dynatrace-token', 'dt0', /dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}/, () => [
    'dt0c01.',
    `${sample(UPPER, 24)}.${sample(UPPER, 64)}`,
  ]),
  kind('sonar-token', 'sqp_ squ_ sqa_', /sq[pua]_[a-f0-9]{40}/, () => ['squ_', sample(HEX, 40)]),
  kind('postman-key', 'PMAK-', /PMAK-[a-f0-9]{24}-[a-f0-9]{34}/, () => [
    'PMAK-',
    `${sample(HEX, 24)}-${sample(HEX, 34)}`,
  ]),
  kind('atlassian-token', 'ATATT3 ATCTT3 ATBB', /(?:AT[AC]TT3[\w=-]{60,}|ATBB[A-Za-z0-9]{32})/, () => [
    'ATATT3',
    sample(WORD, 180),
  ]),
  kind('linear-key', 'lin_api_ lin_oauth_', /lin_(?:api|oauth)_[A-Za-z0-9]{32,}/, () => ['lin_api_', sample(WORD, 40)]),
  kind('notion-token', 'ntn_ secret_', /(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})(?![A-Za-z0-9])/, () => [
    'ntn_',
    sample(WORD, 46),
  ]),
  kind('figma-token', 'figd_', /figd_[\w-]{36,}/, () => ['figd_', sample(WORD, 40)]),
  kind('contentful-token', 'CFPAT-', /CFPAT-[\w-]{43}/, () => ['CFPAT-', sample(WORD, 43)]),
  kind('tailscale-key', 'tskey-', /tskey-[a-z]{2,20}-\w{1,64}-\w{10,}/, () => [
    'tskey-',
    `auth-${sample(WORD, 12)}-${sample(WORD, 32)}`,
  ]),
  kind(
    'putty-private-key',
    'Private-Lines:',
    /Private-Lines: \d{1,4}((?:(?:\s|\\[nr]){1,64}[A-Za-z0-9+/=]{16,}){1,4096})/,
    () => ['Private-Lines:', ` 2\n${sample(WORD, 64)}\n${sample(WORD, 40)}==\nPrivate-MAC: ab`],
  ),
  {
    ...kind(
      'jwt',
      'eyJ',
      /eyJ[\w-]{10,}={0,2}\.(?:eyJ[\w-]{8,}={0,2}(?:\.[\w-]*)?|[\w-]*\.[\w-]+\.[\w-]+\.[\w-]+|[\w-]{20,}\.[\w-]{40,})/,
      () => ['eyJ', `${sample(WORD, 33)}.eyJ${sample(WORD, 60)}.${sample(WORD, 43)}`],
    ),
    run: /[\w-]*/y,
  },
  kind(
    'private-key',
    '-----BEGIN',
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?=(?:(?!-----END)[\s\S]){0,400}?[A-Za-z0-9+/=]{16})(?:(?:(?!-----BEGIN)[\s\S]){0,12000}?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?:(?:\s|\\[nr]){1,64}[A-Za-z0-9+/=]{16,}){1,4096})/,
    () => ['-----BEGIN PRIVATE', ` KEY-----\n${sample(WORD, 64)}\n${sample(WORD, 40)}==\n-----END PRIVATE KEY-----`],
  ),
];
