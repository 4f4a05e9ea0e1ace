/** `node bench/long-cassette.js EVENTS`: a cassette of so many events, for looking at long sessions. The same every time. */

const TOOLS = ['search', 'fetch', 'read_file', 'write_file', 'list_issues', 'run_query', 'summarize', 'translate'];

/** Calls, up to eight at once, with progress, failures, cancels, logs and requests of the server between them. */
export function longCassette(events) {
  const lines = [];
  const open = [];
  let id = 0;
  const say = (side, message, after = 0) =>
    lines.push(`- ${side}: ${JSON.stringify({ jsonrpc: '2.0', ...message })}${after > 0 ? `\n  after: ${after}` : ''}`);
  const answer = (call) => {
    if (call % 41 === 0)
      return { id: call, error: { code: -32603, message: `The upstream of call ${call} did not answer` } };
    return {
      id: call,
      result: { content: [{ type: 'text', text: `Result of call ${call}. `.repeat(1 + (call % 9)) }] },
    };
  };
  const introduction = { protocolVersion: '2025-11-25', capabilities: {} };
  say('client', {
    id,
    method: 'initialize',
    params: { ...introduction, clientInfo: { name: 'agent', version: '3.2.0' } },
  });
  say(
    'server',
    {
      id,
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, logging: {} },
        serverInfo: { name: 'workbench', version: '1.8.0' },
      },
    },
    210,
  );
  say('client', { method: 'notifications/initialized' });
  while (lines.length < events) {
    const step = lines.length;
    if (open.length < 1 + (Math.floor(step / 50) % 8)) {
      id++;
      const name = TOOLS[id % TOOLS.length];
      say(
        'client',
        {
          id,
          method: 'tools/call',
          params: {
            name,
            arguments: { query: `question ${id}`, limit: id % 50 },
            _meta: { progressToken: id },
          },
        },
        id % 7 === 0 ? 40 + (id % 300) : 0,
      );
      open.push(id);
    } else if (step % 11 === 0) {
      say(
        'server',
        {
          method: 'notifications/progress',
          params: { progressToken: open[0], progress: step, message: 'still at it' },
        },
        20,
      );
    } else if (step % 29 === 0) {
      say('server', {
        method: 'notifications/message',
        params: { level: 'info', logger: 'worker', data: `step ${step}` },
      });
    } else if (step % 211 === 0) {
      say('client', {
        method: 'notifications/cancelled',
        params: { requestId: open.shift(), reason: 'the user left' },
      });
    } else {
      say('server', answer(open.shift()), 10 + (step % 60));
    }
  }
  return `format: mcp-record/1\ntransport: stdio\nevents:\n${lines.join('\n')}\n`;
}

if (import.meta.filename === process.argv[1]) process.stdout.write(longCassette(Number(process.argv[2])));
