const PLACEHOLDER = /\[redacted:[\w.-]+:\d{1,9}\]/g;

// Time from a request to the end of its answer, by the tag `request`.
const answerTime = new Trend('mcp_answer_time', true);
const answersCount = new Counter('mcp_answers');
// Checks that failed: their share of all, and their number.
const failedShare = new Rate('mcp_failed');
const failuresCount = new Counter('mcp_failures');

const session = SESSIONS.map(readSession);

export default function () {
  play(session[exec.scenario.iterationInTest % session.length]);
}

// Reads the texts of a session once, with secrets in place of their placeholders.
function readSession(recorded) {
  return {
    steps: recorded.steps.map((step) => {
      const headers = {};
      for (const name of Object.keys(step.headers)) headers[name] = withSecrets(step.headers[name]);
      return Object.assign({}, step, {
        headers: headers,
        send: withSecrets(step.send, (secret) => JSON.stringify(secret).slice(1, -1)),
        expect: step.expect === undefined ? undefined : compared(JSON.parse(step.expect), step.ignore),
        notifications: step.notifications.map(({ text, ignore }) => {
          return { message: compared(JSON.parse(text), ignore), ignore: ignore };
        }),
      });
    }),
  };
}

function withSecrets(text, encode) {
  return text.replace(PLACEHOLDER, (placeholder) => {
    const name = SECRETS[placeholder];
    if (name === undefined) return placeholder;
    return encode === undefined ? secret(name) : encode(secret(name));
  });
}

// Returns a variable of the environment.
function secret(name) {
  if (!__ENV[name]) throw new Error(`The variable ${name} is not set: k6 run -e ${name}=…`);
  return __ENV[name];
}

// Plays a recorded session to its end.
function play(recorded) {
  // Live values, by the recorded ones, of ids that the server makes up.
  const ids = Object.create(null);
  const standing = {};
  for (const step of recorded.steps) {
    const response = http.post(SERVER, withIds(step, ids), {
      headers: headersOf(step, standing, ids),
      timeout: TIMEOUT,
      redirects: 0,
      tags: { name: 'mcp', request: step.tag },
    });
    if (step.isRequest) hear(step, response, ids, standing);
    else verdict(step, 'is accepted', response.status >= 200 && response.status < 300, `status ${response.status}`);
    if (step.method === 'initialize' && standing.answered !== true) {
      // A server that cannot be reached is not asked thousands of times a second.
      if (response.status === 0) sleep(1);
      return;
    }
  }
  if (standing.session !== undefined)
    http.del(SERVER, null, {
      headers: Object.assign({}, HEADERS, { 'Mcp-Session-Id': standing.session }),
      timeout: TIMEOUT,
      tags: { name: 'mcp', request: 'end of the session' },
      responseCallback: http.expectedStatuses({ min: 200, max: 499 }),
    });
}

function headersOf(step, standing, ids) {
  const headers = {};
  if (step.method !== 'initialize' && !step.isStateless) {
    if (standing.session !== undefined) headers['mcp-session-id'] = standing.session;
    if (standing.revision >= '2025-06-18') headers['mcp-protocol-version'] = standing.revision;
  }
  for (const name of Object.keys(step.headers)) {
    const value = step.headers[name];
    headers[name] = typeof ids[value] === 'string' ? ids[value] : value;
  }
  for (const name of step.without) delete headers[name];
  return Object.assign(headers, HEADERS);
}

// Returns the text of a message with the ids that this server made up.
function withIds(step, ids) {
  const places = step.places.filter((place) => ids[place.value] !== undefined);
  if (places.length === 0) return step.send;
  const message = JSON.parse(step.send);
  for (const place of places) {
    const last = place.path[place.path.length - 1];
    const holder = valueAt(message, place.path.slice(0, -1));
    if (typeof holder[last] === 'string') holder[last] = holder[last].split(place.value).join(String(ids[place.value]));
    else holder[last] = ids[place.value];
  }
  return JSON.stringify(message);
}

// Checks the response to a request, and learns what later requests need of it.
function hear(step, response, ids, standing) {
  const messages = messagesIn(response);
  const id = JSON.parse(step.send).id;
  const answer = messages.filter((message) => isAnswer(message) && same(message.id, id))[0];
  if (answer === undefined) {
    const what = response.status === 0 ? response.error : `status ${response.status}`;
    verdict(step, 'is answered', false, what);
    return;
  }
  verdict(step, 'is answered', true);
  answerTime.add(response.timings.duration, { request: step.tag });
  answersCount.add(1, { request: step.tag });
  if (step.status !== undefined)
    verdict(step, 'has the recorded status', response.status === step.status, `status ${response.status}`);
  if (step.expect !== undefined) {
    const isMessage = answer.jsonrpc === '2.0';
    const difference = isMessage ? differenceAt(step.expect, compared(answer, step.ignore), ids, '') : '/jsonrpc';
    verdict(step, 'is as recorded', difference === undefined, `differs at ${difference}`);
  }
  if (step.notifications.length > 0) {
    const missing = missingOf(step, messages, ids);
    verdict(step, 'has its notifications', missing.length === 0, `no ${missing.join(', ')} as recorded`);
  }
  for (const returned of step.returns) learn(returned, answer, ids);
  if (step.method === 'initialize' && answer.result !== undefined) {
    standing.answered = true;
    standing.session = headerOf(response, 'mcp-session-id');
    standing.revision = answer.result.protocolVersion;
  }
}

// Returns the methods of the recorded notifications that did not come before the answer.
function missingOf(step, messages, ids) {
  const heard = messages.filter((message) => !isAnswer(message));
  return step.notifications
    .filter(({ message, ignore }) => {
      const at = heard.findIndex((one) => differenceAt(message, compared(one, ignore), ids, '') === undefined);
      if (at >= 0) heard.splice(at, 1);
      return at < 0;
    })
    .map(({ message }) => message.method);
}

// Learns an id that the server made up, where the text around it is as recorded.
function learn(returned, answer, ids) {
  const value = valueAt(answer, returned.path);
  if (typeof value === 'number' && returned.before === '' && returned.after === '') ids[returned.value] = value;
  if (typeof value !== 'string' || value.length < returned.before.length + returned.after.length) return;
  if (value.slice(0, returned.before.length) !== returned.before) return;
  const end = value.length - returned.after.length;
  if (value.slice(end) === returned.after) ids[returned.value] = value.slice(returned.before.length, end);
}

function verdict(step, what, holds, why) {
  const names = {};
  // k6 refuses two colons in the name of a check.
  names[`${step.what} ${what}`.split('::').join(': :')] = () => holds;
  check(null, names, { request: step.tag });
  failedShare.add(!holds, { request: step.tag });
  if (holds) return;
  failuresCount.add(1, { request: step.tag });
  console.error(`${step.place}: ${step.what} ${what}: no, ${why}`);
}

// Returns the messages of a response: of JSON, or of server-sent events.
function messagesIn(response) {
  const body = response.body === null || response.body === undefined ? '' : String(response.body);
  const type = headerOf(response, 'content-type') || '';
  const texts = type.indexOf('text/event-stream') >= 0 ? eventsIn(body) : [body];
  const messages = [];
  for (const text of texts) {
    const value = parsed(text);
    for (const message of Array.isArray(value) ? value : [value])
      if (typeof message === 'object' && message !== null) messages.push(message);
  }
  return messages;
}

function eventsIn(body) {
  return body
    .split(/(?:\r\n|\r|\n){2}/)
    .map((block) =>
      block
        .split(/\r\n|\r|\n/)
        .filter((line) => line.slice(0, 5) === 'data:')
        .map((line) => line.slice(5).replace(/^ /, ''))
        .join('\n'),
    )
    .filter((data) => data !== '');
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (_) {
    return undefined;
  }
}

function headerOf(response, wanted) {
  for (const name of Object.keys(response.headers || {}))
    if (name.toLowerCase() === wanted) return response.headers[name];
  return undefined;
}

function isAnswer(message) {
  return message.method === undefined && (message.result !== undefined || message.error !== undefined);
}

function same(a, b) {
  return typeof a === typeof b && a === b;
}

function has(holder, key) {
  return Object.getOwnPropertyDescriptor(holder, key) !== undefined;
}

function valueAt(value, path) {
  let here = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = has(here, key) ? here[key] : undefined;
  }
  return here;
}

// Returns a message without what is not compared: values that vary by the specification, and ignored ones.
function compared(message, own) {
  const copy = JSON.parse(JSON.stringify(message));
  for (const rule of VOLATILE) remove(copy, rule.steps, rule);
  for (const rule of IGNORE.concat(own)) {
    if (rule.steps !== undefined) remove(copy, rule.steps, rule);
  }
  const texts = IGNORE.concat(own).filter((rule) => rule.source !== undefined);
  return texts.length === 0 ? copy : inTexts(copy, texts);
}

function remove(value, steps, rule) {
  if (typeof value !== 'object' || value === null || steps.length === 0) return;
  const keys = steps[0] === '*' ? Object.keys(value) : [steps[0]];
  for (const key of keys) {
    if (!has(value, key)) continue;
    if (steps.length > 1) remove(value[key], steps.slice(1), rule);
    else if (rule.types === undefined || rule.types.indexOf(typeOf(value[key])) >= 0) {
      if (rule.isRequired) value[key] = `[any ${rule.types[0]}]`;
      else if (Array.isArray(value)) value[key] = undefined;
      else delete value[key];
    }
  }
  if (Array.isArray(value)) while (value.length > 0 && value[value.length - 1] === undefined) value.pop();
}

function typeOf(value) {
  return value === null ? 'null' : typeof value;
}

function inTexts(value, rules) {
  if (typeof value === 'string')
    return rules.reduce(
      (text, rule) =>
        text.replace(new RegExp(rule.source, `g${rule.flags}`), (match) =>
          match === ''
            ? ''
            : `${match.slice(0, rule.start)}[ignored]${rule.end === 0 ? '' : match.slice(match.length - rule.end)}`,
        ),
      value,
    );
  if (Array.isArray(value)) return value.map((item) => inTexts(item, rules));
  if (typeof value !== 'object' || value === null) return value;
  const left = {};
  for (const key of Object.keys(value)) {
    const item = inTexts(value[key], rules);
    Object.defineProperty(left, key, { value: item, enumerable: true, writable: true, configurable: true });
  }
  return left;
}

// Returns the JSON Pointer of the first difference. Undefined: there is none.
function differenceAt(recorded, live, ids, at) {
  if (typeof recorded === 'string' && typeof live === 'string')
    return isSameText(recorded, live, ids) ? undefined : at || '/';
  if (typeof recorded === 'number' && typeof live === 'number')
    return recorded === live || ids[String(recorded)] === live ? undefined : at || '/';
  const areObjects = [recorded, live].every((value) => typeof value === 'object' && value !== null);
  if (!areObjects || Array.isArray(recorded) !== Array.isArray(live)) return recorded === live ? undefined : at || '/';
  const keys = {};
  for (const key of Object.keys(recorded).concat(Object.keys(live))) keys[`k${key}`] = key;
  for (const name of Object.keys(keys)) {
    const key = keys[name];
    const [before, now] = [recorded, live].map((holder) => (has(holder, key) ? holder[key] : undefined));
    const difference = differenceAt(before, now, ids, `${at}/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

// Reports whether two texts are equal but for ids of this server, and for redacted values, which may be any text.
function isSameText(recorded, live, ids) {
  if (recorded === live) return true;
  let text = live;
  for (const id of Object.keys(ids)) {
    const replaced = String(ids[id]);
    if (replaced !== id && recorded.indexOf(id) >= 0) text = text.split(replaced).join(id);
  }
  if (recorded === text) return true;
  const parts = recorded.split(PLACEHOLDER);
  if (parts.length === 1) return false;
  const literals = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literals.join('[\\s\\S]+')}$`).test(text);
}
