import { describe, expect, it } from 'vitest';
import { type ResolveModeOptions, resolveMode } from '../../src/modes/resolve-mode.ts';

const DAY = 86_400_000;
const now = new Date('2026-11-21T00:00:00Z');
const ago = (days: number) => () => new Date(now.getTime() - days * DAY);

function mode(question: Partial<ResolveModeOptions>) {
  return resolveMode({ env: {}, exists: true, recorded: ago(1), now, ...question }).mode;
}

describe('the mode', () => {
  const asked = { option: 'passthrough', env: { MCP_RECORD: 'new' }, update: true };

  it('is what the code asks for, else MCP_RECORD, else record on an update, else auto', () => {
    expect(mode(asked)).toBe('passthrough');
    expect(mode({ ...asked, option: undefined })).toBe('new');
    expect(mode({ update: true })).toBe('record');
    expect(mode({})).toBe('replay');
  });

  it('auto records a missing cassette and replays one that is there', () => {
    expect(mode({ exists: false })).toBe('record');
    expect(mode({ exists: true })).toBe('replay');
  });

  it.each(['true', '1', 'TRUE', 'yes'])('auto never records where CI is %s', (CI) => {
    expect(mode({ env: { CI }, exists: false })).toBe('replay');
  });

  it.each(['', '0', 'false', undefined])('auto is as at home where CI is %s', (CI) => {
    expect(mode({ env: { CI }, exists: false })).toBe('record');
  });

  it('asked for by name holds under CI too', () => {
    expect(mode({ env: { CI: 'true', MCP_RECORD: 'record' } })).toBe('record');
  });

  it('new records as a whole what is not there', () => {
    expect(mode({ option: 'new', exists: false })).toBe('record');
    expect(mode({ option: 'new' })).toBe('new');
  });

  it('an empty MCP_RECORD says nothing', () => {
    expect(mode({ env: { MCP_RECORD: '' } })).toBe('replay');
  });

  it('of another name is refused, with the name that was meant', () => {
    expect(() => mode({ option: 'rply' })).toThrow(/"rply".*\[USAGE_UNKNOWN_MODE\].*Did you mean "replay"\?/s);
    expect(() => mode({ env: { MCP_RECORD: 'zzzzzzzzzzzz' } })).toThrow(/of MCP_RECORD.*Leave it out/s);
  });
});

describe('a cassette that is too old', () => {
  const old = { expires: 30 * DAY, recorded: ago(31) };

  it('is recorded again, and the person hears of it', () => {
    expect(resolveMode({ env: {}, exists: true, now, ...old })).toEqual({
      mode: 'record',
      warning: 'it was recorded 31 days ago: recording it anew',
    });
  });

  it('is replayed under CI, and the person hears of it', () => {
    const answer = resolveMode({ env: { CI: '1' }, exists: true, now, ...old });
    expect(answer.mode).toBe('replay');
    expect(answer.warning).toContain('31 days ago');
  });

  it('is so only for auto, and only if it says when it was recorded', () => {
    expect(mode({ ...old, option: 'replay' })).toBe('replay');
    expect(mode({ ...old, recorded: () => undefined })).toBe('replay');
    expect(mode({ ...old, recorded: ago(30) })).toBe('replay');
  });

  it('is not even asked for its age where that decides nothing', () => {
    const recorded = () => expect.unreachable();
    expect(mode({ recorded })).toBe('replay');
    expect(mode({ recorded, exists: false, expires: DAY })).toBe('record');
  });
});
