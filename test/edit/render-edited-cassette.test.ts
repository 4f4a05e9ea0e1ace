import { describe, expect, it } from 'vitest';
import { cassetteLines } from '../../src/edit/cassette-lines.ts';
import { renderEditedCassette } from '../../src/edit/render-edited-cassette.ts';

const origin = cassetteLines(
  `format: mcp-record/1
transport: stdio
events:
- client: { id: 1, method: ping }
- server: { id: 1, result: {} }
`,
  'a.yaml',
);
const [ask, answer] = origin.events;

describe('an edited cassette', () => {
  it('is refused where an event could be played before, and cannot be now', () => {
    const edited = { head: origin.head, parts: [{ origin, lines: answer! }], tail: '', file: 'a.yaml' };
    expect(() => renderEditedCassette(edited)).toThrow(
      /Cannot edit a\.yaml:5: in the new cassette this answer has the id 1, and no request .*CASSETTE_NOT_EDITED/,
    );
  });

  it('has what could not be played before as it was', () => {
    const stray = cassetteLines(`${origin.head}- server: { id: 9, result: {} }\n`, 'b.yaml');
    const parts = [
      { origin, lines: ask! },
      { origin, lines: answer! },
      { origin: stray, lines: stray.events[0]! },
    ];
    expect(renderEditedCassette({ head: origin.head, parts, tail: '', file: 'c.yaml' })).toContain('id: 9');
  });
});
