import { describe, expect, it } from 'vitest';
import { mockServer } from '../../src/adapters/mock-server/mock-server.ts';
import { withMcp } from '../../src/adapters/test/with-mcp.ts';
import { openEndpoint } from '../../src/mock/endpoint/fetch-endpoint.ts';
import { validateApiOptions } from '../../src/modes/validate-api-options.ts';

const CASSETTE = 'cassettes/filesystem.yaml';

describe('options of a caller without types', () => {
  it.each([
    [{ onMiss: 'reprt' }, 'OPTION_BAD_VALUE', 'fail, report'],
    [{ onUnused: false }, 'OPTION_BAD_VALUE', 'fail, report'],
    [{ onDifference: 'error' }, 'OPTION_BAD_VALUE', 'fail, report'],
    [{ onUnfired: 'ignore' }, 'OPTION_BAD_VALUE', 'fail, report'],
    [{ fault: [] }, 'OPTION_UNKNOWN', 'Did you mean faults?'],
    [{ onUnusd: 'fail' }, 'OPTION_UNKNOWN', 'Did you mean onUnused?'],
    [{ faults: { do: 'cut' } }, 'OPTION_BAD_VALUE', 'it is a list'],
    [{ timing: 'recordd' }, 'OPTION_BAD_VALUE', 'instant, recorded'],
    [{ timing: { factor: '2' } }, 'OPTION_BAD_VALUE', 'with numbers'],
    [{ repeat: 'always' }, 'OPTION_BAD_VALUE', 'once, last, cycle'],
    [{ repeat: { 'tools/call': 'ever' } }, 'OPTION_BAD_VALUE', 'once, last, cycle'],
    [{ repeat: { 'tool/call': 'last' } }, 'OPTION_BAD_VALUE', 'did you mean "tools/call"?'],
  ])('%j are an error on each entry point', async (options, code, said) => {
    const error = expect.objectContaining({ code, message: expect.stringContaining(said) });
    expect(() => validateApiOptions(options)).toThrow(error);
    await expect(mockServer(CASSETTE, options as never)).rejects.toEqual(error);
    await expect(mockServer(CASSETTE, { ...options, over: 'http' } as never)).rejects.toEqual(error);
    await expect(mockServer(CASSETTE, { ...options, over: 'stdio' } as never)).rejects.toEqual(error);
    expect(() => openEndpoint(CASSETTE, options as never)).toThrow(error);
    const owner = { file: import.meta.filename, names: [JSON.stringify(options)] };
    const opened = withMcp(owner, (mcp) => mcp.connect({ command: 'none' }, options as never));
    await expect(opened).rejects.toEqual(error);
  });

  it('a way to be reached that there is not is an error', async () => {
    await expect(mockServer(CASSETTE, { over: 'htpp' } as never)).rejects.toMatchObject({ code: 'OPTION_BAD_VALUE' });
  });

  it('are taken where they are right, and names of others are left alone', () => {
    const right = { onMiss: 'report', timing: { cap: 5 }, faults: [], repeat: 'last', over: undefined, mine: 1 };
    expect(() => validateApiOptions(right)).not.toThrow();
  });
});
