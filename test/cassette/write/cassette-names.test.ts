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
    expect([1, 2, 10].map((n) => numberedName('cassettes/a.b.yaml', n))).toEqual([
      'cassettes/a.b.yaml',
      'cassettes/a.b-2.yaml',
      'cassettes/a.b-10.yaml',
    ]);
    expect(numberedName('cassette', 2)).toBe('cassette-2');
  });

  it('keeps its folder as it was written', () => {
    expect(numberedName('./cassettes/../a.yaml', 2)).toBe('./cassettes/../a-2.yaml');
    expect(probeName('./a.b/c')).toBe('./a.b/c.probe');
  });

  it('says where a probe lies beside its session', () => {
    expect(probeName('cassettes/a.yaml')).toBe('cassettes/a.probe.yaml');
    expect(isProbeName('cassettes/a.probe.yaml')).toBe(true);
    expect(isProbeName('cassettes/a.probe-2.yaml')).toBe(true);
    expect(isProbeName('cassettes/probe.yaml')).toBe(false);
  });

  it('says where a test records that has not passed yet', () => {
    expect(recordingName('cassettes/a.yaml')).toBe('cassettes/a.recording.yaml');
    for (const name of ['a.recording', 'a.recording-2', 'a.recording.probe', 'a.recording-12.probe-3'])
      expect(isRecordingName(`cassettes/${name}.yaml`), name).toBe(true);
    for (const name of ['a', 'recording', 'a.recording-b', 'a.recording.b', 'a-recording', 'a.probe', 'a.recordings'])
      expect(isRecordingName(`cassettes/${name}.yaml`), name).toBe(false);
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
    [['node', 'aux.mcp.js'], 'aux-.mcp'],
    [['NUL'], 'NUL-'],
    [['node', 'console.js'], 'console'],
    [[], 'server'],
  ])('in a directory tells the server: %j', (command, name) => {
    const date = new Date('2026-11-21T03:02:15.123Z');
    expect(sessionName({ command, date, pid: 7 })).toBe(`${name}-20261121T030215Z-7.yaml`);
  });
});
