import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FORMAT } from '../../../src/cassette/cassette.ts';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { eventText, headerText } from '../../../src/cassette/write/format-event.ts';
import { redactCassette } from '../../../src/record/redact-file/redact-cassette.ts';
import { credentialNamed } from '../../../src/redact/detect/credential-names.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { KINDS, PLACES, readable } from '../../redact/planted.ts';
import { anyCharacter } from '../../support/fuzz.ts';

const HEAD = 'format: mcp-record/1\ntransport: http\nevents:\n';
const redact = (text: string) => redactCassette(text, 'cassette.yaml', createRedactor({ env: {} }));

describe('a cassette that secrets are taken out of', () => {
  it.each(Object.entries(PLACES))(
    `has none of ${KINDS.length} kinds, and says what it said otherwise, in %s`,
    (_, place) => {
      const frames = KINDS.map(({ text }) => ({ ...place(text), stream: 1 }));
      const cassette =
        headerText({ format: FORMAT, transport: 'http' }) + frames.map((frame) => eventText(frame)).join('');
      const whole = cassette.slice(0, -'- '.length);
      const { text, secrets } = redact(whole);
      expect(secrets.length).toBeGreaterThan(frames.length / 2);
      const kept = parseCassette(text, 'cassette.yaml')
        .events.map(({ frame }) => readable(frame))
        .join('\n');
      expect(KINDS.filter(({ secret }) => kept.includes(secret)).map(({ kind }) => kind)).toEqual([]);
      expect(redact(text)).toMatchObject({ text, secrets: [] });
    },
  );

  it('reads as the messages without theirs, whatever they are', () => {
    const secret = 'zebra-92-lamp';
    // What stands after the name of a credential, as a value or in a pair, is a secret of its own.
    const text = fc
      .oneof(
        fc.string({ unit: anyCharacter }),
        fc.constant(secret),
        fc.string().map((around) => `${around}\n ${secret}\n${around}`),
      )
      .filter((name) => credentialNamed(name) === undefined);
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.double(),
        fc.constant(null),
        fc.array(tie('value')),
        fc.dictionary(text, tie('value')),
      ),
    })).value;
    fc.assert(
      fc.property(fc.array(json, { maxLength: 4 }), (values) => {
        const frames = values.map((params) => JSON.stringify({ id: 1, method: 'a', params }));
        const cassette = `${HEAD}- stderr: password=${secret}\n${frames.map((frame) => `- client: ${frame}  # said\n`).join('')}`;
        const safe = redact(cassette).text;
        const wanted = frames.map((frame) => frame.replaceAll(secret, '[redacted:password:1]'));
        expect(
          parseCassette(safe, 'a')
            .events.slice(1)
            .map(({ frame }) => frame.kind === 'message' && frame.json.value),
        ).toEqual(wanted.map((one) => ({ jsonrpc: '2.0', ...JSON.parse(one) })));
        expect(safe.match(/ {2}# said$/gm)?.length ?? 0).toBe(frames.length);
      }),
      { numRuns: 60 },
    );
  });
});
