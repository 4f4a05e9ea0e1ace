import { parseCassette } from '../../cassette/read/parse-cassette.ts';
import type { EditedCassetteText } from '../../edit/edit-answer.ts';
import { lint } from '../../lint/lint.ts';
import { printable } from '../../text-report/printable-text.ts';

/** Returns what an edited answer breaks of the protocol, with the rule of `lint`. A mock may answer so on purpose. */
export function answerWarnings({ text, lines }: EditedCassetteText, file: string): string[] {
  return lint(parseCassette(text, file))
    .filter(({ line, severity, who }) => line === lines.first && severity === 'error' && who === 'server')
    .map(({ why, rule }) => printable(`${why} [${rule}]`));
}
