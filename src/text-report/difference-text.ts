import { createRequire } from 'node:module';
import { jsonToYaml } from '../cassette/write/json-to-yaml.ts';
import { describeDifference, differences } from '../match/json-difference.ts';
import { jsonOf } from '../protocol/json-text.ts';
import { isObject } from '../protocol/message.ts';
import { printable, truncate } from './printable-text.ts';

const require = createRequire(import.meta.url);

/** Maximum number of lines for a drawn diff. Its time is quadratic: 20,000 different lines would take seconds. */
const DRAWN_LINES_MAX = 2_000;
const SHOWN_LINES_MAX = 200;
const LINE_COLUMNS_MAX = 300;
const LISTED_MAX = 20;
const CONTEXT_LINES = 3;
/** Indentation of a value below its key. */
const INDENT = 2;

const asIs = (text: string): string => text;
const UNPAINTED = {
  aColor: asIs,
  bColor: asIs,
  changeColor: asIs,
  changeLineTrailingSpaceColor: asIs,
  commonColor: asIs,
  commonLineTrailingSpaceColor: asIs,
  patchColor: asIs,
};

/** Length of the part of a line that is drawn: longer than what is shown. A long run of blanks takes quadratic time to draw. */
const DRAWN_COLUMNS_MAX = 2 * LINE_COLUMNS_MAX;

function beginning(line: string): string {
  return line.slice(0, DRAWN_COLUMNS_MAX);
}

/** Names of the two values. */
export interface DifferenceNames {
  recorded: string;
  live: string;
}

const NAMES: DifferenceNames = { recorded: 'recorded', live: 'live' };

/** Colours of a difference, as in git: red for removed lines, green for added lines. */
export interface DifferencePaint {
  good(text: string): string;
  bad(text: string): string;
  /** Names of the two values. */
  bold(text: string): string;
  /** Position of a hunk. */
  hunk(text: string): string;
}

/**
 * Returns the differences between two JSON values as YAML, in hunks like those of git: `-` for recorded, `+` for live. For values too long to be drawn, the
 * differing places are listed.
 */
export function differenceText(recorded: unknown, live: unknown, names: DifferenceNames = NAMES): string[] {
  if (linesOf(recorded) + linesOf(live) > DRAWN_LINES_MAX) return listed(recorded, live);
  const [before, after] = [yamlLines(recorded), yamlLines(inOrderOf(recorded, live))];
  // Equal as YAML, though not as JSON.
  if (before.join('\n') === after.join('\n')) return listed(recorded, live);
  // Loading `jest-diff` is slow, and most runs have no difference to draw.
  const { diffLinesUnified2 } = require('jest-diff') as typeof import('jest-diff');
  const options = { contextLines: CONTEXT_LINES, expand: false, omitAnnotationLines: true, ...UNPAINTED };
  const lines = diffLinesUnified2(before.map(beginning), after.map(beginning), before, after, options).split('\n');
  const shown = lines.slice(0, SHOWN_LINES_MAX).map((line) => truncate(printable(line), LINE_COLUMNS_MAX));
  return [
    printable(`--- ${names.recorded}`),
    printable(`+++ ${names.live}`),
    ...shown,
    ...(lines.length > shown.length ? [`… and ${lines.length - shown.length} more lines`] : []),
  ];
}

/** Paints a line of {@link differenceText}. */
export function paintDifference(line: string, { good, bad, bold, hunk }: DifferencePaint): string {
  if (line.startsWith('--- ') || line.startsWith('+++ ')) return bold(line);
  if (line.startsWith('@@')) return hunk(line);
  if (line.startsWith('-')) return bad(line);
  return line.startsWith('+') ? good(line) : line;
}

/** Formats a value as YAML lines, as in a cassette. Returns a text as its own lines. */
function yamlLines(value: unknown): string[] {
  if (value === undefined) return [];
  if (typeof value === 'string') return value.split('\n');
  const json = jsonOf(value);
  const yaml = isEmpty(value) ? undefined : jsonToYaml(json, 0);
  if (yaml === undefined) return [json];
  // `jsonToYaml` formats the value of a key, which begins on a new line with an indent.
  return yaml
    .slice(1)
    .split('\n')
    .map((line) => line.slice(INDENT));
}

function isEmpty(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}

/** Returns `value` with its keys in the order of `model`, because key order is not a difference. */
function inOrderOf(model: unknown, value: unknown): unknown {
  if (Array.isArray(model) && Array.isArray(value)) return value.map((item, index) => inOrderOf(model[index], item));
  if (!isObject(model) || !isObject(value) || !isPlain(value)) return value;
  const known = Object.keys(model).filter((key) => Object.hasOwn(value, key));
  const added = Object.keys(value).filter((key) => !Object.hasOwn(model, key));
  return Object.fromEntries([...known, ...added].map((key) => [key, inOrderOf(model[key], value[key])]));
}

/** Reports whether an object is plain data. Exact numbers are not: they have a spelling of their own as JSON. */
function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}

function listed(recorded: unknown, live: unknown): string[] {
  const all = differences(recorded, live);
  const shown = all.slice(0, LISTED_MAX).map((difference) => printable(describeDifference(difference)));
  return all.length > shown.length ? [...shown, `… and ${all.length - shown.length} more places`] : shown;
}

/** Returns the approximate number of lines of a drawn value. */
function linesOf(value: unknown): number {
  if (typeof value === 'string') return value.split('\n', DRAWN_LINES_MAX + 1).length;
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, item) => sum + linesOf(item), 2);
}
