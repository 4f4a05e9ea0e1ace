import { describe, expect, it } from 'vitest';
import { externallyRestartedServer } from '../../../src/cli/record/externally-restarted-server.ts';
import { parseUpstream } from '../../../src/transports/http/upstream/parse-upstream.ts';

const http = 'http://127.0.0.1:9/mcp';
const kept = (restartOn: string, watch: string[] = []) =>
  externallyRestartedServer({ http, restartOn, watch }, { upstream: parseUpstream(http), ca: undefined });

describe('a server at a URL', () => {
  it('is kept over its crashes, and is not down at first', () => {
    const server = kept('crash');
    expect(server.isDown).toBe(false);
    server.close();
  });

  it.each([
    ['change', []],
    ['change,crash', []],
    ['crash', ['src']],
  ])('has no files to watch: %s with %j', (restartOn, watch) => {
    expect(() => kept(restartOn, watch)).toThrow(expect.objectContaining({ code: 'USAGE_RESTART_HTTP' }));
  });

  it('has no other occasion', () => {
    expect(() => kept('always')).toThrow(expect.objectContaining({ code: 'USAGE_BAD_RESTART_ON' }));
  });
});
