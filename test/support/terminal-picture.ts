/** A part of a line in one style. The style has letters of CSS classes: `b` bold, `d` dim, `r` red, `g` green, `c` cyan. */
interface Span {
  text: string;
  style: string;
}

const COLUMNS = 80;
const ROWS = 28;
const [CHARACTER, LINE, MARGIN] = [8.4, 19, 16];
const [WIDTH, HEIGHT] = [COLUMNS * CHARACTER + 2 * MARGIN, ROWS * LINE + 2 * MARGIN];

/** Seconds until a command, its output, a line of output, and until what fills the screen is read. */
const PACE = { command: 0.9, output: 0.7, line: 0.07, scene: 2, readLine: 0.16 };

const STYLES: Readonly<Record<string, string>> = { 1: 'b', 2: 'd', 31: 'r', 32: 'g', 33: 'y', 36: 'c' };
const ESCAPE = '\u001b[';

/** Returns what a terminal shows after a program has written `output`, line by line. */
export function screenLines(output: string): Span[][] {
  return output.split('\n').map((line) => spansOf(line.slice(line.lastIndexOf('\r') + 1)));
}

function spansOf(line: string): Span[] {
  const [first = '', ...rest] = line.split(ESCAPE);
  const spans: Span[] = [{ text: first, style: '' }];
  let styles: string[] = [];
  for (const part of rest) {
    const [, code = '', kind = '', text = ''] = /^([\d;]*)([A-Za-z])(.*)$/s.exec(part) ?? [];
    const style = STYLES[code];
    if (kind === 'm' && style !== undefined) styles.push(style);
    else if (code === '39') styles = styles.filter((one) => 'bd'.includes(one));
    else if (code === '22') styles = styles.filter((one) => !'bd'.includes(one));
    else if (kind === 'm') styles = [];
    spans.push({ text, style: styles.join(' ') });
  }
  return spans.filter(({ text }) => text !== '');
}

const textOfLine = (line: readonly Span[]) => line.map(({ text }) => text).join('');

/** A screen that begins empty, and the time at which each of its lines appears, from its beginning. */
interface Scene {
  lines: Span[][];
  times: number[];
  seconds: number;
}

/** Puts steps, which begin with a number, on as few screens as hold them whole. */
function scenesOf(lines: readonly Span[][]): Scene[] {
  const steps: Span[][][] = [];
  for (const line of lines) {
    if (/^\d+\. /.test(textOfLine(line)) || steps.length === 0) steps.push([]);
    steps.at(-1)!.push(line);
  }
  const screens: Span[][][] = [];
  for (const step of steps) {
    const last = screens.at(-1);
    if (last && trimmed([...last, ...step]).length <= ROWS) last.push(...step);
    else screens.push([...step]);
  }
  return screens.map(trimmed).map((lines) => {
    let time = 0;
    const times = lines.map((line, index) => {
      const text = textOfLine(line);
      if (text.startsWith('$ ')) time += PACE.command;
      else if (index > 0 && textOfLine(lines[index - 1]!).startsWith('$ ')) time += PACE.output;
      else if (text !== '') time += PACE.line;
      return time;
    });
    return { lines, times, seconds: time + PACE.scene + PACE.readLine * lines.length };
  });
}

/** Removes empty lines at the end. */
function trimmed(lines: readonly Span[][]): Span[][] {
  return lines.slice(0, lines.findLastIndex((line) => textOfLine(line) !== '') + 1);
}

/**
 * Draws what a program has written to a terminal as a picture that moves: SVG with CSS, without scripts and fonts, for light and dark. Each step of the
 * program, which begins with a number, appears as it was written; those that one screen holds stand together.
 */
export function terminalPicture(output: string, title: string): string {
  const scenes = scenesOf(screenLines(output));
  const total = scenes.reduce((sum, { seconds }) => sum + seconds, 0);
  const percent = (seconds: number) => `${((100 * seconds) / total).toFixed(3)}%`;
  const [moves, covers, texts]: [string[], string[], string[]] = [[], [], []];
  let start = 0;
  for (const [number, { lines, times, seconds }] of scenes.entries()) {
    const top = number * ROWS;
    moves.push(`${percent(start)}{transform:translateY(${-top * LINE}px)}`);
    covers.push(`${percent(start)}{transform:translateY(${top * LINE}px)}`);
    for (const [row, line] of lines.entries()) {
      const isLast = row === lines.length - 1;
      if (isLast || times[row + 1] !== times[row])
        covers.push(`${percent(start + times[row]! + 0.01)}{transform:translateY(${(top + row + 1) * LINE}px)}`);
      texts.push(textElement(line, top + row));
    }
    start += seconds;
  }
  const last = scenes.length - 1;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-labelledby="title">
<title id="title">${escaped(title)}</title>
<style>
svg{--ground:#fff;--text:#1f2328;--dim:#59636e;--red:#c4232c;--green:#116329;--cyan:#0a5f7a;--yellow:#7d4e00;--edge:#d1d9e0}
@media (prefers-color-scheme:dark){svg{--ground:#0d1117;--text:#e6edf3;--dim:#9198a1;--red:#ff7b72;--green:#56d364;--cyan:#76d9e6;--yellow:#e3b341;--edge:#3d444d}}
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:var(--text);white-space:pre}
.b{font-weight:700}.d{fill:var(--dim)}.r{fill:var(--red)}.g{fill:var(--green)}.c{fill:var(--cyan)}.y{fill:var(--yellow)}
.ground{fill:var(--ground)}.edge{fill:none;stroke:var(--edge)}
.cover{transform:translateY(${scenes.length * ROWS * LINE}px)}
.strip{animation:strip ${total.toFixed(1)}s step-end infinite}.cover{animation:cover ${total.toFixed(1)}s step-end infinite}
@keyframes strip{${moves.join('')}}
@keyframes cover{${covers.join('')}}
@media (prefers-reduced-motion:reduce){.strip{animation:none;transform:translateY(${-last * ROWS * LINE}px)}.cover{display:none}}
</style>
<rect class="ground" width="${WIDTH}" height="${HEIGHT}" rx="8"/>
<svg aria-hidden="true" x="${MARGIN}" y="${MARGIN}" width="${COLUMNS * CHARACTER}" height="${ROWS * LINE}">
<g class="strip">
${texts.filter((text) => text !== '').join('\n')}
<rect class="ground cover" width="${COLUMNS * CHARACTER}" height="${ROWS * LINE * scenes.length}"/>
</g>
</svg>
<rect class="edge" x=".5" y=".5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="8"/>
</svg>
`;
}

function textElement(line: readonly Span[], row: number): string {
  const text = textOfLine(line);
  if (text.trim() === '') return '';
  const spans = line.map(({ text, style }) =>
    style === '' ? escaped(text) : `<tspan class="${style}">${escaped(text)}</tspan>`,
  );
  // The length keeps columns where they belong, whatever font there is.
  const length = (text.length * CHARACTER).toFixed(1);
  return `<text y="${row * LINE + 14}" textLength="${length}" xml:space="preserve">${spans.join('')}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Returns the text of a picture, line by line. */
export function textOfPicture(svg: string): string[] {
  return [...svg.matchAll(/<text [^>]*>(.*?)<\/text>/g)].map(([, content = '']) =>
    content
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&'),
  );
}
