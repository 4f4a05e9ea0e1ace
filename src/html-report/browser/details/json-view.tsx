import { useSignal } from '@preact/signals';
import type { Content } from '../../data/report-data-types.ts';
import { count } from '../format.ts';
import { Text } from '../text-and-badges.tsx';
import { CopyButton } from './copy-button.tsx';
import { type JsonLine, jsonTokenLines } from './json-token-lines.ts';

/** A message of a megabyte has more lines than anybody reads; the rest comes when asked for. */
const LINES_MAX = 1_000;

/** A text with its name and a button that copies it to the letter; JSON as lines that fold. */
export function JsonView({ title, content }: { title: string; content: Content }) {
  const { text, language, cutFrom } = content;
  const lines = language === 'json' ? jsonTokenLines(text) : undefined;
  return (
    <section class="content">
      <header>
        <h3>{title}</h3>
        <CopyButton name="Copy" text={() => text} />
      </header>
      {cutFrom !== undefined && (
        <p class="note">
          The first {count(text.length)} of {count(cutFrom)} characters; the cassette has all.
        </p>
      )}
      <div class="code" tabIndex={0} role="group" aria-label={title}>
        {lines ? (
          <FoldedLines key={text} lines={lines} />
        ) : (
          <pre>
            <Text of={text} />
          </pre>
        )}
      </div>
    </section>
  );
}

function FoldedLines({ lines }: { lines: readonly JsonLine[] }) {
  const folded = useSignal<ReadonlySet<number>>(new Set());
  const most = useSignal(LINES_MAX);
  const shown: number[] = [];
  let index = 0;
  for (; index < lines.length && shown.length < most.value; index++) {
    shown.push(index);
    if (folded.value.has(index)) index = lines[index]!.closes!;
  }
  const left = lines.length - index;
  const turn = (line: number) => {
    const others = new Set(folded.value);
    if (!others.delete(line)) others.add(line);
    folded.value = others;
  };
  return (
    <>
      {shown.map((line) => (
        <Line
          key={line}
          line={lines[line]!}
          closing={folded.value.has(line) ? lines[lines[line]!.closes!] : undefined}
          onTurn={() => turn(line)}
        />
      ))}
      {left > 0 && (
        <button type="button" onClick={() => (most.value = Number.POSITIVE_INFINITY)}>
          Show {count(left)} more lines
        </button>
      )}
    </>
  );
}

/** A line; with its `closing` one, an object or list in short. */
function Line({ line, closing, onTurn }: { line: JsonLine; closing: JsonLine | undefined; onTurn: () => void }) {
  const { depth, tokens, closes } = line;
  const all = closing ? [...tokens, { kind: 'mark', text: ' … ' }, ...closing.tokens] : tokens;
  return (
    <div class="code-line" style={`--depth: ${depth}`}>
      {closes !== undefined && (
        <button
          type="button"
          class="toggle"
          aria-label={closing ? 'Unfold' : 'Fold'}
          aria-expanded={!closing}
          onClick={onTurn}
        >
          {closing ? '▸' : '▾'}
        </button>
      )}
      {all.map(({ kind, text }) => (
        <span class={kind}>{text === ':' ? ': ' : <Text of={text} />}</span>
      ))}
    </div>
  );
}
