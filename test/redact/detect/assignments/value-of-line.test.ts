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

  it.each([
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a password of a corpus
    'm{{h}o)p${e]nob(ody[finds>-_$#thisone}}',
    'q3<+BD!aYw5O_J0iE',
    '8KT&fsDWGPmsM]e:x4',
    '_)VaPMxc-nx]<ThkVLTqq3oEPJn',
    '[zUNIKMSB2ToDf<8hBlA@r0sxGU',
    'fF,xQA=u|+v8YyD4wzUPlIV%0',
    `vN2"kQ9'Lw#7bTz`,
  ])('%s is one, whatever the case of its name', (value) => {
    expect(after(`passwd = ${value}`)).toBe('passwd = [redacted:passwd:1]');
    expect(after(`PASSWD=${value}`)).toBe('PASSWD=[redacted:PASSWD:1]');
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
    ['password=vN2kQ9Lw7bTz&user=ann', '&user=ann'],
    ['password=vN2kQ9Lw7bTz</b>', '</b>'],
    ['password=vN2kQ9Lw7bTz&amp;user=ann', '&amp;user=ann'],
    ['password=vN2kQ9Lw7bTz","user":"ann"}', '","user":"ann"}'],
    ['x password=vN2kQ9Lw7bTz,ann,80', ',ann,80'],
    ['x password=vN2kQ9Lw7bTz|ann y', '|ann y'],
    ['x password=vN2kQ9Lw7bTz); y', '); y'],
    ['x: {password: a9b8c7,user: ann}', ',user: ann}'],
  ])('ends before another one: %s', (line, rest) => {
    expect(after(line)).toMatch(/\[redacted:password:1\]/i);
    expect(after(line)?.endsWith(rest)).toBe(true);
  });

  it.each([
    ['log in password=vN2<kQ9&Lw7bTz8 user=ann', ' user=ann'],
    ['log in, the password is vN2<kQ9&Lw7bTz8 for now.', ' for now.'],
    ['Server=db;Password=vN2,kQ9&Lw7bTz8;Database=x', ';Database=x'],
  ])('may stand in the middle, if it is generated: %s', (line, rest) => {
    expect(after(line)).toMatch(/\[redacted:password:1\]/i);
    expect(after(line)?.endsWith(rest)).toBe(true);
    expect(after(line)).not.toMatch(/vN2|kQ9|Lw7/);
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
