import { isDistinctive } from './detect/plausibility.ts';
import { emptyTrigramTable, MAY_HOLD, mark, type TrigramTable } from './fast-prefilter/trigram-scan.ts';
import { type HeaderContext, learnHeaders } from './given-credentials.ts';
import { KnownValues } from './replace/known-values.ts';
import { type Spelling, spellingsOf, urlDecodings } from './replace/secret-spellings.ts';
import type { DetectionContext } from './replace/shared-detector-state.ts';
import { compileRedactionRules, type RedactionRule } from './rules/compile-redaction-rules.ts';

/** Maximum number of spellings. Further secrets are known only where they pass. */
const SPELLINGS_MAX = 100_000;

/** Maximum total length of all spellings, in characters. */
const LENGTH_MAX = 16 * 1024 * 1024;

/**
 * Secrets that several redactors search for. A redactor gives one of them a placeholder when its own data contain it.
 * A secret costs the same, however many redactors there are.
 */
export class SharedSecrets {
  readonly #values = new KnownValues(emptyTrigramTable());
  readonly #headerContext: HeaderContext;
  readonly #spellings: string[] = [];
  #length = 0;
  /** Tables of the redactors. They need not outlive these. */
  #tables: WeakRef<TrigramTable>[] = [];
  readonly #marked = new WeakSet<TrigramTable>();

  /** @param rules rules of the user, which may name further headers with credentials */
  constructor(rules: readonly RedactionRule[] = []) {
    const redact = (name: string, value: string) => {
      this.add(name, value);
      return undefined;
    };
    this.#headerContext = { redact, redactByRule: redact, rules: compileRedactionRules(rules) };
  }

  /** Adds a secret, unless it could be an ordinary word. */
  add(name: string, value: string): void {
    const [plain, ...encoded] = urlDecodings(value);
    const spellings = [...spellingsOf(plain), ...encoded.map((spelling): Spelling => [spelling, String])];
    if (isDistinctive(plain)) for (const spelling of spellings) this.#add(spelling, name, plain);
  }

  /** Adds the credentials in request headers (names and values, alternating). */
  learnHeaders(headers: readonly string[]): void {
    learnHeaders(headers, this.#headerContext);
  }

  /** Lets a redactor search for all these secrets, also for those that are added later. */
  searchedBy({ needles, marks, redact }: Pick<DetectionContext, 'needles' | 'marks' | 'redact'>): void {
    needles.share(this.#values, redact);
    if (this.#marked.has(marks)) return;
    this.#marked.add(marks);
    this.#tables.push(new WeakRef(marks));
    for (const spelling of this.#spellings) mark(marks, spelling, MAY_HOLD.known);
  }

  #add([spelling, encode]: Spelling, name: string, value: string): void {
    if (this.#spellings.length >= SPELLINGS_MAX || this.#length + spelling.length > LENGTH_MAX) return;
    const known = this.#values.size;
    this.#values.add(spelling, (redact) => {
      const placeholder = redact(name, value);
      return placeholder === undefined ? undefined : encode(placeholder);
    });
    if (this.#values.size === known) return;
    this.#spellings.push(spelling);
    this.#length += spelling.length;
    this.#tables = this.#tables.filter((table) => {
      const marks = table.deref();
      if (marks) mark(marks, spelling, MAY_HOLD.known);
      return marks !== undefined;
    });
  }
}
