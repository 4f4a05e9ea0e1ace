import { describe, expect, it } from 'vitest';
import { JsonText } from '../../src/protocol/json-text.ts';
import { createRedactor } from '../../src/redact/redactor.ts';
import { TEXTS, VALUES } from './look-alikes.ts';

describe('no look-alike is destroyed', () => {
  const { json, text, suspicious } = createRedactor({ env: {} });

  it(`of ${TEXTS.length} texts, wherever they stand`, () => {
    const destroyed = TEXTS.flatMap((alike) => {
      const inJson = new JsonText(JSON.stringify({ id: 1, result: { text: alike, more: JSON.stringify([alike]) } }));
      const kept = [text(alike), text(`it says: ${alike} (end)`), json(inJson).text];
      const wanted = [alike, `it says: ${alike} (end)`, inJson.text];
      return kept.filter((one, i) => one !== wanted[i]);
    });
    expect(destroyed).toEqual([]);
  });

  it(`of ${VALUES.length} messages`, () => {
    const destroyed = VALUES.map((value) => JSON.stringify(value))
      .map((alike) => [json(new JsonText(alike)).text, alike] as const)
      .filter(([kept, alike]) => kept !== alike);
    expect(destroyed.map(([kept]) => kept)).toEqual([]);
  });

  it('and none is suspicious', () => {
    expect(TEXTS.filter((alike) => suspicious(alike))).toEqual([]);
  });
});
