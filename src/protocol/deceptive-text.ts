import { escapeStep } from './json-pointer.ts';
import { isObject } from './message.ts';

/** Reasons why a model may read a text differently from a person. */
export type UnsafeKind = 'invisible' | 'bidi' | 'lookalike' | 'instructions';

/** Text that a model may read differently from a person. */
export interface UnsafeText {
  kind: UnsafeKind;
  /** JSON Pointer to the text. */
  path: string;
  /** Reason, as a clause without the place. */
  why: string;
}

/**
 * Finds texts of a server that a model may read differently from a person: invisible characters, characters that
 * reverse the text's direction, names of mixed scripts, and instructions to the model that are hidden from its user.
 * @param at pointer to `value`; the names of listed items lie at `/result/LIST/N/name`
 */
export function unsafeTexts(value: unknown, at = ''): UnsafeText[] {
  const found: UnsafeText[] = [];
  const open: [value: unknown, path: string][] = [[value, at]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [current, path] = next;
    if (typeof current === 'string') found.push(...inText(current, path));
    else if (Array.isArray(current))
      for (let n = current.length - 1; n >= 0; n--) open.push([current[n], `${path}/${n}`]);
    else if (isObject(current)) {
      const members = Object.entries(current).filter(([name]) => !ENCODED.has(name));
      for (const [name, member] of members.reverse()) open.push([member, `${path}/${escapeStep(name)}`]);
    }
  }
  return found;
}

/** Members with encoded bytes, or with values for programs only. */
const ENCODED: ReadonlySet<string> = new Set(['blob', 'data', 'nextCursor', 'cursor', 'requestState']);

const NAME = /^\/result\/\w+\/\d+\/name$/;

function inText(text: string, path: string): UnsafeText[] {
  const reasons: [UnsafeKind, string | undefined][] = [
    ['invisible', NOT_ASCII.test(text) ? invisibleIn(text) : undefined],
    ['bidi', NOT_ASCII.test(text) ? bidiIn(text) : undefined],
    ['lookalike', NAME.test(path) && NOT_ASCII.test(text) ? lookalikeIn(text) : undefined],
    ['instructions', hiddenInstructionIn(text)],
  ];
  return reasons.flatMap(([kind, why]) => (why === undefined ? [] : [{ kind, path, why }]));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: everything but ASCII
const NOT_ASCII = /[^\x00-\x7f]/;

/**
 * Invisible characters: the soft hyphen, fillers, zero-width spaces and word joiners, invisible operators, interlinear
 * annotations, tag characters, and supplementary variation selectors.
 */
const INVISIBLE =
  /[\u00ad\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u;
/** Flags of regions: a black flag, followed by tag characters. */
const FLAG = /\u{1f3f4}[\u{e0020}-\u{e007e}]+\u{e007f}/gu;
/** A supplementary variation selector is legitimate after an ideograph. */
const IDEOGRAPH_VARIANT = /(\p{Script=Han})[\u{e0100}-\u{e01ef}]/gu;
/**
 * Joiners shape emoji and some scripts. Between Latin letters, joiners hide text. So do several variation selectors in
 * a row.
 */
const HIDING_JOINER = /[\x20-\x7e][\u200c\u200d]+[\x20-\x7e]|[\ufe00-\ufe0f]{2,}/u;

function invisibleIn(text: string): string | undefined {
  const rest = text
    .replace(/^\ufeff/, '')
    .replace(FLAG, '')
    .replace(IDEOGRAPH_VARIANT, '$1');
  const [found] = INVISIBLE.exec(rest) ?? HIDING_JOINER.exec(rest)?.[0].match(/[^\x20-\x7e]/u) ?? [];
  if (found === undefined) return undefined;
  const tags = [...rest].map((char) => char.codePointAt(0)! - 0xe0000).filter((code) => code > 0x1f && code < 0x7f);
  const spelt = tags.length > 0 ? `, which spell "${brief(String.fromCharCode(...tags.slice(0, BRIEF + 1)))}"` : '';
  return `has invisible characters (${codeOf(found)})${spelt}`;
}

/** Embeddings, overrides and isolates. Direction marks alone are common in right-to-left text. */
const BIDI = /[\u202a-\u202e\u2066-\u2069]/u;

function bidiIn(text: string): string | undefined {
  const [found] = BIDI.exec(text) ?? [];
  return found && `has characters that reverse the direction of text (${codeOf(found)})`;
}

/** Scripts with letters that look like Latin letters. */
const TWINS = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}]/u;
const LATIN = /\p{Script=Latin}/u;

function lookalikeIn(name: string): string | undefined {
  const word = name.split(/[^\p{Letter}\p{Mark}]+/u).find((part) => LATIN.test(part) && TWINS.test(part));
  if (word !== undefined) return `mixes scripts in "${brief(word)}" (${codeOf(TWINS.exec(word)![0])})`;
  const plain = name.normalize('NFKC');
  const hasDisguise = plain !== name.normalize('NFC') && /[A-Za-z]/.test(plain);
  return hasDisguise ? `looks like "${brief(plain)}" and is spelt otherwise` : undefined;
}

const USER = String.raw`(?:(?:the|your|end)\s+(?:user|human|operator)s?|users|humans)(?!['’]s)`;
const TELL = '(?:tell|mention|inform|notify|alert|reveal|disclose)';
/** Verbs that put orders aside. */
const ASIDE = String.raw`(?:ignore|disregard|forget|neglect|do\s+not\s+follow|don['’]t\s+follow|stop\s+following)`;
const ALL = String.raw`(?:(?:all|any|every|the|your|of|these|those)\s+){0,4}`;
const ORDERS =
  '(?:instructions?|rules|prompts?|directives|directions|guidelines|commands|orders|constraints|restrictions)';
/** Instructions to the model that hide information from its user or override other instructions. */
const INSTRUCTIONS: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:${ASIDE}|override|overrule)\s+${ALL}(?:previous|previously\s+given|prior|above|preceding|earlier|former|foregoing|past|other)\s+(?:\w+\s+)?${ORDERS}\b`,
    'i',
  ),
  // What a server overrides of its own may be initial or existing.
  new RegExp(
    String.raw`\b${ASIDE}\s+${ALL}(?:initial|original|existing|current|system|safety)\s+(?:\w+\s+)?${ORDERS}\b`,
    'i',
  ),
  new RegExp(
    String.raw`\b${ASIDE}\s+${ALL}(?:${ORDERS}\s+(?:(?:that|you|was|were|have|had|been|are|is|given|from)\s+){0,6}|(?:everything|anything|what)\s+(?:that\s+)?you\s+(?:\w+\s+){1,4})(?:above|before|earlier|previously|so\s+far)\b`,
    'i',
  ),
  new RegExp(String.raw`\b(?:do not|don['’]t|never|must not|should not)\s+${TELL}\b[^.\n]{0,60}\b${USER}\b`, 'i'),
  new RegExp(
    String.raw`\bwithout\s+(?:telling|informing|notifying|alerting|asking|mentioning)\b[^.\n]{0,40}\b${USER}\b`,
    'i',
  ),
  new RegExp(String.raw`\b(?:hide|conceal|keep)\s+(?:this|it|that)\b[^.\n]{0,30}\b(?:from ${USER}|secret)\b`, 'i'),
  /<\s*(?:important|system|secret|hidden|instructions?|admin|critical)\s*>/i,
  // Headings in capitals that address the model: [SYSTEM DIRECTIVE], |||ADMIN_OVERRIDE|||.
  /\b(?:SYSTEM|ADMIN|HIDDEN|SECRET|ROLE|EMERGENCY|INSTRUCTION|SAFETY)[ _-](?:OVERRIDE|DIRECTIVE|INSTRUCTIONS?|BYPASS)\b|\bACT AS:/,
  /\[INST\]|<<SYS>>|<\|(?:im_start|system|endoftext)\|>/,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape of terminals, which hides what follows
  /\u001b\[(?:\d+;)*8m/,
  /(?<![ \t\n\r])[ \t\n\r]{200,}\S/,
];

function hiddenInstructionIn(text: string): string | undefined {
  for (const pattern of INSTRUCTIONS) {
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) return `gives the model instructions that its user does not see: "${brief(found.trim())}"`;
  }
  return undefined;
}

const BRIEF = 60;

function brief(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > BRIEF ? `${line.slice(0, BRIEF)}…` : line;
}

function codeOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
