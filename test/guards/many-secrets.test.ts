import { expect, it } from 'vitest';
import { createRedactor } from '../../src/redact/redactor.ts';
import { workOf } from './work.ts';

const UNITS: readonly ((id: string) => string)[] = [
  (id) => `${id === '0000' ? 'Cookie: ' : ''}c${id}=v${id}w8e9r; `,
  (id) => `password=v${id}w8e9r\n`,
  (id) => `{"token":"v${id}w8e9r"}\n`,
];
const COUNT = 100;
/** Blocks, items or bytes that each secret may cost the more in a text of twice as many. */
const MORE_MAX = 20;

it.each(UNITS.map((unit) => [unit('0000'), unit] as const))(
  'secrets, each another one, such as %j: twice as many are twice the work',
  async (_, unit) => {
    const measure = (count: number) => {
      const ids = Array.from({ length: count }, (_each, id) => String(id).padStart(4, '0'));
      const text = ids.map(unit).join('');
      return workOf(() => createRedactor({ env: {} }).text(text), { decoding: true });
    };
    await measure(COUNT);
    const [once, twice] = [await measure(COUNT), await measure(2 * COUNT)];
    expect(once).toBeGreaterThan(COUNT * MORE_MAX);
    expect(twice - 2 * once).toBeLessThan(MORE_MAX * COUNT);
  },
);
