import { describe, expect, it } from 'vitest';
import {
  isProbeName,
  isRecordingName,
  numberedName,
  probeName,
  recordingName,
  sessionName,
} from '../../../src/cassette/write/cassette-names.ts';

describe('the name of a cassette', () => {
  it('is counted up where it is taken', () => {
    expect([1, 2, 10].map((n) => numberedName('tapes/a.b.yaml', n))).toEqual([
      'tapes/a.b.yaml',
      'tapes/a.b-2.yaml',
      'tapes/a.b-10.yaml',
    ]);
    expect(numberedName('tape', 2)).toBe('tape-2');
  });

  it('says where a probe lies beside its session', () => {
    expect(probeName('tapes/a.yaml')).toBe('tapes/a.probe.yaml');
    expect(isProbeName('tapes/a.probe.yaml')).toBe(true);
    expect(isProbeName('tapes/a.probe-2.yaml')).toBe(true);
    expect(isProbeName('tapes/probe.yaml')).toBe(false);
  });

  it('says where a test records that has not passed yet', () => {
    expect(recordingName('tapes/a.yaml')).toBe('tapes/a.recording.yaml');
    for (const name of ['a.recording', 'a.recording-2', 'a.recording.probe', 'a.recording-12.probe-3'])
      expect(isRecordingName(`tapes/${name}.yaml`), name).toBe(true);
    for (const name of [
      'a',
      'recording',
      'a.recording-b',
      'a.recording.b',
      'a-recording',
      'a.probe',
      'a.recordings',
    ])
      expect(isRecordingName(`tapes/${name}.yaml`), name).toBe(false);
  });

  it.each([
    [['node', 'build/weather/index.js'], 'weather'],
    [['npx', '-y', '@modelcontextprotocol/server-everything', 'stdio'], 'server-everything'],
    [['python', '-m', 'my_server'], 'my_server'],
    [['/opt/bin/thing.exe'], 'thing'],
    [['uvx', 'mcp server!'], 'mcp-server-'],
    [['node'], 'node'],
    [['node', './.hidden/dist/index.js'], 'index'],
    [['node', '***'], '-'],
    [['--inspect'], 'server'],
    [[], 'server'],
  ])('in a directory tells the server: %j', (command, name) => {
    const date = new Date('2026-11-21T03:02:15.123Z');
    expect(sessionName({ command, date, pid: 7 })).toBe(`${name}-20261121T030215Z-7.yaml`);
  });
});
