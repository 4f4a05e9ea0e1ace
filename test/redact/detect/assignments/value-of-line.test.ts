import { describe, expect, it } from 'vitest';
import { endInLine } from '../../../../src/redact/detect/assignments/value-of-line.ts';
import { createRedactor } from '../../../../src/redact/redactor.ts';

/** What is left of the line of a file with settings. */
const after = (line: string) => createRedactor({ env: {} }).text(`# settings\n${line}\nPORT=80\n`).split('\n')[1];

describe('a value that is all that its line has', () => {
  it.each(['k9#Lm,2x&Qz', 'a9;b8', 'x7|y6|z5', 'a9<b8>c7&d', 'A9,.:-¨@*¿?!'])('%s is redacted to its end', (value) => {
    expect(after(`DB_PASSWORD=${value}`)).toMatch(/^DB_PASSWORD=\[redacted:DB_PASSWORD:\d\]$/);
    expect(after(`export DB_PASSWORD=${value}`)).toMatch(/^export DB_PASSWORD=\[redacted:DB_PASSWORD:\d\]$/);
  });

  it('may be that of an INI file', () => {
    expect(after('password = a9,b8;c7')).toBe('password = [redacted:password:1]');
  });

  it.each([
    ['Password=a9b8c7;Server=db', ';Server=db'],
    ['password=a9b8c7,user=ann', ',user=ann'],
    ['password=a9b8c7&user=ann', '&user=ann'],
    ['password=a9b8c7&x', '&x'],
    ['password=a9b8c7</b>', '</b>'],
    ['PASSWORD=a9b8c7,', ','],
    ['x: {password: a9b8c7,user: ann}', ',user: ann}'],
  ])('ends before another one: %s', (line, rest) => {
    expect(after(line)).toMatch(/\[redacted:password:1\]/i);
    expect(after(line)?.endsWith(rest)).toBe(true);
  });

  it.each(['password: hash,salt', 'password: encode(a1,b2)', 'const password = foo, bar = 2;'])('%s stays', (line) => {
    expect(after(line)).toBe(line);
  });

  it('is searched in the line alone', () => {
    const text = 'PASSWORD=a9,b8c7\nx';
    expect(endInLine(text, { name: 'PASSWORD', nameStart: 0, start: 9, end: 11 })).toBe(16);
    expect(endInLine(`x ${text}`, { name: 'PASSWORD', nameStart: 2, start: 11, end: 13 })).toBe(13);
  });
});
