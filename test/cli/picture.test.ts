import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mcpRecord } from '../support/command.ts';
import { titled } from '../support/on-posix.ts';
import { hasTerminal, OnTerminal } from '../support/terminal.ts';
import { screenLines, terminalPicture, textOfPicture } from '../support/terminal-picture.ts';

const picture = join(import.meta.dirname, '..', '..', 'docs', 'demo.svg');
const TITLE = 'A terminal: mcp-record records a session, replays it without the server, and finds a breaking change';

/** Text without what differs from run to run: numbers, the widths that they have, and where rows are cut. */
function withoutTimes(lines: readonly string[]): string[] {
  return lines
    .map((line) =>
      line
        .replaceAll(/\d[\d.,:TZ-]*/g, '#')
        .replaceAll(/# m?s\b/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .map((line) => (line.endsWith('…') ? line.slice(0, 30) : line))
    .filter((line) => line !== '');
}

/** What the demonstration prints on a terminal of 80 columns. */
async function demoOnTerminal(): Promise<string> {
  const { command, args } = mcpRecord('demo');
  const script = 'stty cols 80 rows 40; exec "$@"';
  await using terminal = new OnTerminal({ command: 'sh', args: ['-c', script, '-', command, ...args] });
  expect(await terminal.ended).toBe(0);
  return terminal.shown;
}

describe('a picture of a terminal', () => {
  it('has the text of the terminal, line by line, with its colours', () => {
    const svg = terminalPicture(
      '\r… waits\u001b[K\r\u001b[K\u001b[32m✓\u001b[39m <one>\u001b[2m  3 ms\u001b[22m\n\n2. two\n',
      'a',
    );
    expect(textOfPicture(svg)).toEqual(['✓ <one>  3 ms', '2. two']);
    expect(svg).toContain('<tspan class="g">✓</tspan> &lt;one&gt;<tspan class="d">  3 ms</tspan>');
    expect(screenLines('\u001b[1m\u001b[31ma\u001b[39mb\u001b[22mc')).toEqual([
      [
        { text: 'a', style: 'b r' },
        { text: 'b', style: 'b' },
        { text: 'c', style: '' },
      ],
    ]);
  });

  it('is compared without times, and with words', () => {
    const lines = ['  62  1.170   9 ms  → call {"a":1,"b…', '✓ a  line 62  5 ms', ''];
    expect(withoutTimes(lines)).toEqual(['# # → call {"a":#"b…', '✓ a line #']);
    expect(withoutTimes(['✓ a'])).not.toEqual(withoutTimes(['✗ a']));
  });
});

describe('the picture of the README', () => {
  // `npm run picture` makes it.
  it.runIf(hasTerminal)(titled('shows what mcp-record demo prints', 'terminals'), async () => {
    const svg = terminalPicture(await demoOnTerminal(), TITLE);
    if (process.env.PICTURE !== undefined) writeFileSync(picture, svg);
    const shown = (text: string) => withoutTimes(textOfPicture(text));
    const committed = shown(readFileSync(picture, 'utf8'));
    // What the server writes to standard error at its start passes before or after the first message.
    const isLog = (line: string) => line.includes('← stderr');
    expect(shown(svg).filter((line) => !isLog(line))).toEqual(committed.filter((line) => !isLog(line)));
    expect(shown(svg).filter(isLog)).toEqual(committed.filter(isLog));
  });

  it('runs no script, loads nothing, and has light and dark', () => {
    const svg = readFileSync(picture, 'utf8');
    expect(svg).not.toMatch(/<script|<image|<foreignObject|@import|url\(|href|\son\w+=/i);
    expect(svg).toContain('prefers-color-scheme:dark');
    expect(svg).toContain('prefers-reduced-motion:reduce');
  });
});
