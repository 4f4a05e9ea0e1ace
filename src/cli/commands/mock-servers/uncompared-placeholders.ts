import { placeholdersIn, variableFor } from '../../../redact/replace/placeholder-format.ts';
import type { Finding } from '../../../replay/findings/finding.ts';
import type { PlayedRun } from '../../../replay/player/player-options.ts';
import { hasRules, type RedactionOptions } from '../../options/redaction-options.ts';

const LISTED_MAX = 5;

/** Placeholders of a cassette for which a client's values were taken: nothing says whether the values are right. */
export class UncomparedPlaceholders {
  readonly #taken = new Set<string>();
  /** Texts of findings that name placeholders already. */
  readonly #said = new Set<string>();

  /** Notes the placeholders of an ended run. */
  add({ placeholders = [] }: Pick<PlayedRun, 'placeholders'>): void {
    for (const placeholder of placeholders) this.#taken.add(placeholder);
  }

  /** Notes a finding, which may name placeholders. */
  found({ kind, text }: Finding): void {
    if (kind === 'guessed') this.#said.add(text);
  }

  /** Returns the finding at the end. Undefined: there are no placeholders, or the user gave rules and knows of them. */
  finding(file: string, options: RedactionOptions): Finding | undefined {
    const texts = [...this.#taken].filter((placeholder) => ![...this.#said].some((said) => said.includes(placeholder)));
    if (texts.length === 0 || hasRules(options)) return undefined;
    const more = texts.length > LISTED_MAX ? ', …' : '';
    const shown = texts.slice(0, LISTED_MAX);
    const variables = shown.flatMap((text) => placeholdersIn(text).map(variableFor)).join(',');
    const what = `What the client sent for ${shown.join(', ')}${more} of ${file} was not compared: any value passes`;
    const next = `To compare it, set variables, and give --secrets-from-env ${variables}${more}`;
    return { kind: 'guessed', text: `${what}. ${next}` };
  }
}

/** Returns the finding at the end of a replay as a list, which is empty without one. */
export function uncomparedFindings(
  runs: readonly PlayedRun[],
  guessed: readonly Finding[],
  options: RedactionOptions,
): Finding[] {
  const uncompared = new UncomparedPlaceholders();
  for (const run of runs) uncompared.add(run);
  for (const finding of guessed) uncompared.found(finding);
  return [uncompared.finding(runs[0]?.file ?? '', options) ?? []].flat();
}
