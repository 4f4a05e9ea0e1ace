import { expect, it } from 'vitest';
import type { Frame } from '../../src/channel/frame.ts';
import { renumberIds } from '../../src/modes/renumber-added-frames.ts';
import {
  call,
  cancel,
  cassette,
  client,
  notification,
  progress,
  request,
  result,
  server,
} from '../support/conversation.ts';

const values = (frames: readonly Frame[]) =>
  frames.map((frame) => (frame.kind === 'message' ? frame.json.value : frame.kind));
const among = (recorded: Frame[], ...added: Frame[]) => values(renumberIds(added, cassette(...recorded).events));

it('what the cassette does not use stays', () => {
  const added = [client(call('b', 'add', {}, 'b')), server(progress('b', 1)), server(result('b', 'sum'))];
  expect(among([client(call(1, 'add', {}, 1))], ...added)).toEqual(values(added));
});

it('a request whose id the cassette uses gets the next, and so does all that names it', () => {
  const recorded = [client(request(1, 'ping')), server(result(1, '')), client(request(7, 'ping'))];
  expect(
    among(
      recorded,
      client(request(1, 'tools/list')),
      client(request(2, 'ping')),
      server(result(1, 'list')),
      client(cancel(1)),
    ),
  ).toEqual([request(8, 'tools/list'), request(2, 'ping'), result(8, 'list'), cancel(8)]);
});

it('progress tokens are counted apart from ids', () => {
  const recorded = [client(call(1, 'add', {}, 5)), server(result(1, ''))];
  expect(among(recorded, client(call(5, 'add', {}, 5)), server(progress(5, 1)))).toEqual([
    call(5, 'add', {}, 6),
    progress(6, 1),
  ]);
});

it('each side has ids of its own', () => {
  const recorded = [client(request(0, 'ping')), server(result(0, ''))];
  const added = [server(request(0, 'roots/list')), client(result(0, 'roots'))];
  expect(among(recorded, ...added)).toEqual(values(added));
  expect(among([...recorded, ...added], ...added)).toEqual([request(1, 'roots/list'), result(1, 'roots')]);
});

it('what names nobody stays', () => {
  const added = [server(notification('message', { level: 'info', data: 1 })), server(result('unknown', ''))];
  expect(among([client(request(1, 'ping'))], ...added)).toEqual(values(added));
});

it('all other text of a message stays as it was written', () => {
  const added = client('{ "id" :1, "method":"x", "params":{"n":1.0e2,"id":1} }');
  const [frame] = renumberIds([added], cassette(client(request(1, 'ping'))).events);
  expect(frame!.kind === 'message' && frame!.json.text).toBe('{ "id" :2, "method":"x", "params":{"n":1.0e2,"id":1} }');
});
