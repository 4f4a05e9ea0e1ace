import { isUtf8 } from 'node:buffer';
import type { Span } from '../protocol/json-scan.ts';
import { applied, type Edit, merged } from './edit.ts';
import { BASE64_LENGTH_MIN } from './survey.ts';

const RUN = new RegExp(`[A-Za-z0-9+/_-]{${BASE64_LENGTH_MIN},}={0,2}`, 'g');

/** A longer run is not tried piece by piece. */
const PIECEWISE_LENGTH_MAX = 4_096;

/** How to find secrets in what a run of base64 says. */
export interface Searches {
  inText(text: string): Edit[];
  /** Bytes, one to a character. */
  inBytes(bytes: string): readonly Edit[];
}

/**
 * Edits of the runs of base64 in `text`. One that holds a secret is encoded again without it, so that it still is base64 of
 * its kind; one that is nothing but a secret is replaced as a whole.
 */
export function base64Edits(text: string, searches: Searches): Edit[] {
  return [...text.matchAll(RUN)].flatMap(({ 0: run, index }) => runEdits(run, index, searches));
}

/** The first run of base64 in `text` of whose text `isSecret` says so. */
export function base64Secret(text: string, isSecret: (inner: string) => boolean): Span | undefined {
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (isSecret(Buffer.from(run, 'base64').toString('latin1')))
      return { start: index, end: index + run.length };
  }
  return undefined;
}

function runEdits(run: string, at: number, searches: Searches): Edit[] {
  const instead = withoutSecrets(run, searches);
  if (instead !== undefined) return [{ start: at, end: at + run.length, text: instead }];
  if (!run.includes('/') || run.length > PIECEWISE_LENGTH_MAX) return [];
  // A step of a path, which may be base64url, is preceded by others.
  return [...run.matchAll(/[\w-]{8,}={0,2}/g)].flatMap(({ 0: step, index }) => {
    const instead = withoutSecrets(step, searches);
    const start = at + index;
    return instead === undefined ? [] : [{ start, end: start + step.length, text: instead }];
  });
}

function withoutSecrets(run: string, searches: Searches): string | undefined {
  const bytes = Buffer.from(run, 'base64');
  const encoding = isText(bytes) ? 'utf8' : 'latin1';
  const inner = bytes.toString(encoding);
  const edits = merged(encoding === 'utf8' ? searches.inText(inner) : searches.inBytes(inner));
  const [first] = edits;
  if (first === undefined) return undefined;
  if (first.start === 0 && first.end === inner.length) return first.text;
  return encodedLike(run, Buffer.from(applied(inner, edits), encoding));
}

function isText(bytes: Buffer): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what tells bytes from text; colours begin with one
  return isUtf8(bytes) && !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(bytes.toString('latin1'));
}

/** In the alphabet and with the padding of `run`. */
function encodedLike(run: string, bytes: Buffer): string {
  const base64 = /[-_]/.test(run) ? bytes.toString('base64url') : bytes.toString('base64');
  return run.endsWith('=') || run.length % 4 === 0 ? base64 : base64.replace(/=+$/, '');
}
