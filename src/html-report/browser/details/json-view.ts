import { printable } from '../../../text-report/printable-text.ts';
import type { Content } from '../../data/report-data-types.ts';
import { button, element } from '../element.ts';
import { type JsonLine, jsonLines } from './json-lines.ts';

/** A message of a megabyte has more lines than anybody reads; the rest comes when asked for. */
const LINES_MAX = 1_000;

/** Renders a message as foldable lines, with a button that copies the original text. */
export function jsonView(title: string, content: Content): HTMLElement {
  const { text, language, cutFrom } = content;
  const lines = language === 'json' ? jsonLines(text) : undefined;
  const body = element('div', { class: 'code', tabindex: '0', role: 'group', 'aria-label': title });
  if (lines === undefined) body.append(element('pre', {}, visible(text)));
  else new FoldedLines(body, lines).draw();
  const note =
    cutFrom === undefined
      ? []
      : [
          `The first ${text.length.toLocaleString('en')} of ${cutFrom.toLocaleString('en')} characters; the cassette has all.`,
        ];
  return element(
    'section',
    { class: 'content' },
    element(
      'header',
      {},
      element('h3', {}, title),
      copyButton('Copy', () => text),
    ),
    ...note.map((words) => element('p', { class: 'note' }, words)),
    body,
  );
}

/** A button that copies, and says so. */
export function copyButton(name: string, text: () => string): HTMLButtonElement {
  const made = button(name, async () => {
    const isCopied = await copy(text());
    made.textContent = isCopied ? 'Copied' : 'Cannot copy here';
    made.addEventListener('blur', () => (made.textContent = name), { once: true });
  });
  return made;
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyAsSelected(text);
  }
}

/** Copies through a selection in browsers without a clipboard API. */
function copyAsSelected(text: string): boolean {
  const focused = document.activeElement;
  const field = element('textarea', { class: 'unseen', readonly: true });
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}

class FoldedLines {
  readonly #root: HTMLElement;
  readonly #lines: readonly JsonLine[];
  readonly #folded = new Set<number>();
  #most = LINES_MAX;

  constructor(root: HTMLElement, lines: readonly JsonLine[]) {
    this.#root = root;
    this.#lines = lines;
  }

  draw(): void {
    const drawn: Node[] = [];
    let index = 0;
    for (; index < this.#lines.length && drawn.length < this.#most; index++) {
      const isFolded = this.#folded.has(index);
      drawn.push(this.#line(index, isFolded));
      if (isFolded) index = this.#lines[index]!.closes!;
    }
    const left = this.#lines.length - index;
    if (left > 0) {
      const more = button(`Show ${left.toLocaleString('en')} more lines`, () => {
        this.#most = Number.POSITIVE_INFINITY;
        this.draw();
      });
      drawn.push(more);
    }
    this.#root.replaceChildren(...drawn);
  }

  #line(index: number, isFolded: boolean): HTMLElement {
    const { depth, tokens, closes } = this.#lines[index]!;
    const line = element('div', { class: 'code-line' });
    line.style.setProperty('--depth', String(depth));
    if (closes !== undefined) {
      const toggle = button(isFolded ? '▸' : '▾', () => this.#turn(index), {
        class: 'toggle',
        'aria-label': isFolded ? 'Unfold' : 'Fold',
        'aria-expanded': isFolded ? 'false' : 'true',
      });
      line.append(toggle);
    }
    const shown = isFolded ? [...tokens, { kind: 'mark', text: ' … ' }, ...this.#lines[closes!]!.tokens] : tokens;
    line.append(...shown.map(({ kind, text }) => element('span', { class: kind }, spaced(visible(text)))));
    return line;
  }

  #turn(index: number): void {
    if (!this.#folded.delete(index)) this.#folded.add(index);
    this.draw();
    const toggles = this.#root.querySelectorAll<HTMLElement>('.toggle');
    const place = [...this.#lines.keys()].filter((line) => this.#isToggle(line)).indexOf(index);
    toggles[place]?.focus();
  }

  /** Whether a foldable line is visible. */
  #isToggle(line: number): boolean {
    if (this.#lines[line]!.closes === undefined) return false;
    return ![...this.#folded].some((opener) => opener < line && line < this.#lines[opener]!.closes!);
  }
}

function spaced(text: string): string {
  return text === ':' ? ': ' : text;
}

/** Text as it may be shown: nothing in it hides, or turns the direction of what stands around it. Lines stay lines. */
function visible(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
