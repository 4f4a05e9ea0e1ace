import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../src/channel/frame.ts';
import { RecordedWithoutAnswer } from '../../../src/replay/match/report-never-answered-request.ts';
import { planServer } from '../../../src/replay/plan/server-plan.ts';
import {
  call,
  cancel,
  cassette as cassetteOf,
  client,
  clientCloses,
  exits,
  result,
  server,
} from '../../support/conversation.ts';

function at(frames: readonly Frame[], isHandWritten = false) {
  const plan = planServer(cassetteOf(...frames).events);
  return new RecordedWithoutAnswer({ plan, file: 'cassette.yaml', isHandWritten }).check(plan.entries[0]!);
}
const asked = client(call(1, 'add'));

describe('a live request without an answer in the cassette', () => {
  it('is told at once, and left without one where that was recorded', () => {
    expect(at([asked, clientCloses])).toEqual({
      finding: {
        kind: 'unanswerable',
        text: 'tools/call "add" has no answer in the cassette (cassette.yaml:1): the client will wait until it gives up, as it did when this was recorded.',
        entry: expect.anything(),
      },
    });
  });

  it('fails at once where a person wrote the file, with the next step', () => {
    const { finding, error } = at([asked], true)!;
    expect(finding).toMatchObject({
      kind: 'miss',
      text: expect.stringContaining('(cassette.yaml:1).\n  Write its answer'),
    });
    expect(error).toMatchObject({
      code: -32603,
      message: 'mcp-record: tools/call "add" has no answer in the cassette (cassette.yaml:1).',
      data: {
        mcpRecord: { cassette: 'cassette.yaml', line: 1, next: expect.stringContaining('close: client') },
      },
    });
  });

  it('fails at once where it was pasted into a recording, which is to be seen by its missing jsonrpc', () => {
    const pasted = client('{"id":1,"method":"tools/call","params":{"name":"add"}}');
    expect(at([pasted])).toMatchObject({ finding: { kind: 'miss' }, error: { code: -32603 } });
  });

  const stray = { finding: { text: expect.stringContaining('cassette.yaml:2 the id 1: it has 2') } };

  it('fails at once where a pasted answer with another id stands in its place, however the session ended', () => {
    const pasted = server('{"id":2,"result":{}}');
    expect(at([asked, pasted, clientCloses, exits(0)])).toMatchObject({ ...stray, error: { code: -32603 } });
  });

  it('is told at once where a server said another id, and left without one', () => {
    const told = at([asked, server(result(2, 'b')), clientCloses, exits(0)]);
    expect(told).toMatchObject({ ...stray, finding: { ...stray.finding, kind: 'unanswerable' } });
    expect(told).not.toHaveProperty('error');
  });

  it('stays without one where the file says how the wait ended', () => {
    expect(at([asked, clientCloses], true)).toBeUndefined();
    expect(at([asked, client(cancel(1))], true)).toBeUndefined();
  });

  it.each<[string, Frame[]]>([
    ['it has an answer', [asked, server(result(1, 'a'))]],
    ['it was cancelled', [asked, client(cancel(1))]],
    ['the server ended', [asked, exits(1)]],
    ['it is no request', [clientCloses]],
  ])('is nothing to tell where %s', (_, frames) => {
    expect(at(frames)).toBeUndefined();
  });
});
