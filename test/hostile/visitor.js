// Visits what a command serves: as a client of MCP, as one of the control API, or as a browser. Then ends the command.
import http from 'node:http';
import { setTimeout as timeOver } from 'node:timers/promises';

/** How long an answer may let its visitor wait. Streams of servers have no end. */
const VISIT_MAX = 150;

const stop = () => process.emit('SIGTERM', 'SIGTERM');

/** Resolves with what a pattern finds in the output of the command. */
function said(shown, pattern) {
  return new Promise((resolve) => {
    const look = () => {
      const found = pattern.exec(`${shown.text('stdout')}\n${shown.text('stderr')}`);
      if (found) resolve(found[1]);
    };
    shown.heard = look;
    look();
  });
}

function ask(url, { method = 'GET', body, headers = {} } = {}) {
  return new Promise((resolve) => {
    const request = http.request(
      url,
      { method, agent: false, headers: { connection: 'close', ...headers } },
      (response) => {
        let size = 0;
        response.on('data', (data) => {
          size += data.length;
        });
        response.on('error', () => {});
        response.once('close', () => resolve({ headers: response.headers, size }));
      },
    );
    const timer = setTimeout(() => request.destroy(), VISIT_MAX);
    request.on('error', () => resolve({ headers: {}, size: 0 }));
    request.once('close', () => clearTimeout(timer));
    request.end(body);
  });
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function speak(url, messages) {
  const [first, ...rest] = messages;
  const { headers } = await ask(url, { method: 'POST', body: first, headers: HEADERS });
  const session = headers['mcp-session-id'];
  const all = { ...HEADERS, ...(session && { 'mcp-session-id': session }) };
  await Promise.all(rest.map((body) => ask(url, { method: 'POST', body, headers: all })));
  await ask(url, { headers: all });
  await ask(url, { method: 'DELETE', headers: all });
}

const VISITS = {
  async http(shown, messages) {
    await speak(await said(shown, /listening on (\S+)/), messages);
  },
  async control(shown, messages) {
    const control = await said(shown, /control API on (\S+)/);
    await speak(await said(shown, /listening on (\S+)/), messages.slice(0, 10));
    await Promise.all(
      ['health', 'journal', 'findings', 'faults', 'handlers'].map((name) => ask(new URL(name, `${control}/`))),
    );
  },
  async browser(shown) {
    const url = await said(shown, /(http:\/\/\S+)/);
    await ask(url);
    await Promise.all(
      ['events', 'events?session=cassette.yaml', 'events?session=../canary.txt'].map((name) => ask(new URL(name, url))),
    );
  },
  async follow(shown) {
    // What is followed may have nothing to show.
    await Promise.race([said(shown, /(\S)/), timeOver(VISIT_MAX)]);
  },
};

export async function act(visit, shown, messages) {
  await VISITS[visit](shown, messages);
  stop();
}
