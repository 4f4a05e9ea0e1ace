/** Reads what Go sources say in literals: a scanner's own tests have their texts there. Nothing of them is run. */
import { regexTree, sampleOf } from './regex-tree.js';

const TOKEN =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|(`[^`]*`|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+')|([A-Za-z_]\w*)|(\d[\w.]*)|(:=|\.\.\.|\+=|==|!=|&&|\|\||[^\s\w])/gy;

/** The tokens of Go: `{ text }`, and `value` where it is a literal string. */
export function goTokens(source) {
  const tokens = [];
  for (const [text, literal, word, number, sign] of source.matchAll(TOKEN)) {
    if (literal !== undefined) tokens.push({ text, value: unquoted(literal) });
    else if (word ?? number ?? sign) tokens.push({ text });
  }
  return tokens;
}

const ESCAPES = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };

function unquoted(literal) {
  if (literal[0] === '`') return literal.slice(1, -1);
  return literal
    .slice(1, -1)
    .replace(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([0-7]{3})|(.))/g, (_, x, u, octal, c) => {
      if (x ?? u) return String.fromCharCode(Number.parseInt(x ?? u, 16));
      return octal === undefined ? (ESCAPES[c] ?? c) : String.fromCharCode(Number.parseInt(octal, 8));
    });
}

/**
 * Values of Go expressions. `names` are those of constants and variables, as far as they are known; `calls` are functions by their last
 * name. A list is an array; what cannot be known is undefined.
 */
export class GoValues {
  constructor(tokens, calls = {}) {
    this.tokens = tokens;
    this.calls = calls;
    this.names = new Map();
  }

  text(at) {
    return this.tokens[at]?.text;
  }

  /** Learns `NAME = …`, `NAME := …` from here to the end. */
  learn() {
    for (let at = 0; at < this.tokens.length; at++) this.learnAt(at);
  }

  learnAt(at) {
    if (!/^[A-Za-z_]\w*$/.test(this.text(at) ?? '')) return;
    const sign = this.text(at + 1) === 'string' ? at + 2 : at + 1;
    if (this.text(sign) !== ':=' && this.text(sign) !== '=') return;
    const { value } = this.expression(sign + 1);
    if (value !== undefined) this.names.set(this.text(at), value);
  }

  /** The value of the expression that begins at the token `at`, and the token after it. */
  expression(at) {
    let { value, end } = this.operand(at);
    while (this.text(end) === '+') {
      const right = this.operand(end + 1);
      value = typeof value === 'string' && typeof right.value === 'string' ? value + right.value : undefined;
      end = right.end;
    }
    return { value, end };
  }

  operand(at) {
    const token = this.tokens[at];
    if (token === undefined) return { end: at };
    if (token.value !== undefined) return { value: token.value, end: at + 1 };
    if (token.text === '(') {
      const inner = this.expression(at + 1);
      return { value: inner.value, end: inner.end + 1 };
    }
    if (token.text === '[') return this.list(at);
    if (token.text === 'map') return this.list(at);
    if (/^\d/.test(token.text)) return { value: token.text, end: at + 1 };
    if (!/^[A-Za-z_]/.test(token.text)) return { end: at + 1 };
    let name = token.text;
    let end = at + 1;
    while (this.text(end) === '.' && /^[A-Za-z_]/.test(this.text(end + 1) ?? '')) {
      name = this.text(end + 1);
      end += 2;
    }
    if (this.text(end) === '(') return this.call(name, end);
    return { value: this.names.get(name), end };
  }

  /** `[]string{…}`, or the values of `map[string]string{…}`. */
  list(at) {
    let end = at;
    while (this.text(end) !== '{' && end < at + 8) end++;
    if (this.text(end) !== '{') return { end: at + 1 };
    const value = [];
    end++;
    while (end < this.tokens.length && this.text(end) !== '}') {
      const item = this.expression(end);
      end = Math.max(item.end, end + 1);
      if (this.text(end) === ':') {
        const entry = this.expression(end + 1);
        value.push(entry.value);
        end = entry.end;
      } else value.push(item.value);
      if (this.text(end) === ',') end++;
    }
    return { value, end: end + 1 };
  }

  call(name, open) {
    const given = [];
    let end = open + 1;
    while (end < this.tokens.length && this.text(end) !== ')') {
      const item = this.expression(end);
      end = Math.max(item.end, end + 1);
      if (this.text(end) === '...') {
        given.push(...(Array.isArray(item.value) ? item.value : [undefined]));
        end++;
      } else given.push(item.value);
      if (this.text(end) === ',') end++;
      else if (this.text(end) !== ')') return { end: this.closing(open) };
    }
    const known = { ...STANDARD, ...this.calls };
    const isKnown = Object.hasOwn(known, name);
    return { value: isKnown ? known[name](...given) : undefined, end: end + 1 };
  }

  closing(open) {
    let depth = 0;
    for (let at = open; at < this.tokens.length; at++) {
      if ('([{'.includes(this.text(at))) depth++;
      if (')]}'.includes(this.text(at)) && --depth === 0) return at + 1;
    }
    return this.tokens.length;
  }
}

const STANDARD = {
  Sprintf: (format, ...given) => {
    if (typeof format !== 'string' || given.some((value) => typeof value !== 'string')) return undefined;
    let next = 0;
    return format.replace(/%(?:\[(\d+)\])?([svq%])/g, (_, n, verb) => {
      if (verb === '%') return '%';
      const value = given[n === undefined ? next++ : Number(n) - 1] ?? '';
      return verb === 'q' ? JSON.stringify(value) : value;
    });
  },
  Repeat: (text, times) => (typeof text === 'string' && times !== undefined ? text.repeat(Number(times)) : undefined),
  ToUpper: (text) => text?.toUpperCase(),
  ToLower: (text) => text?.toLowerCase(),
  append: (list, ...more) => [...(Array.isArray(list) ? list : []), ...more],
};

/** Whole numbers below its argument, the same in each run. */
export function chanceFrom(seed) {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** A text made to match an expression, the same in each run. */
export function madeToMatch(expression, salt = '') {
  const seed = [...`${expression}${salt}`].reduce((sum, c) => (Math.imul(sum, 31) + c.charCodeAt(0)) | 0, 7);
  const chance = chanceFrom(seed);
  for (let i = 0; i < 20; i++) chance(2);
  return sampleOf(regexTree(expression), chance);
}
