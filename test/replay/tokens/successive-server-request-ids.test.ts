import { describe, expect, it } from 'vitest';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { ServerRequestIds } from '../../../src/replay/tokens/successive-server-request-ids.ts';
import { cancel, progress, request, result } from '../../support/conversation.ts';

function questions() {
  const ids = new ServerRequestIds();
  const through = (way: 'toServer' | 'toClient') => (message: object) =>
    ids[way](new JsonText(JSON.stringify(message)))?.value;
  return { ids, toServer: through('toServer'), toClient: through('toClient') };
}

const asks = (id: number, token?: number) =>
  request(id, 'elicitation/create', token === undefined ? {} : { _meta: { progressToken: token } });

describe('questions of the servers of one session', () => {
  it('of the first server pass as they are', () => {
    const { toServer, toClient } = questions();
    expect(toClient(asks(0, 5))).toEqual(asks(0, 5));
    expect(toServer(progress(5, 1))).toEqual(progress(5, 1));
    expect(toServer(result(0, 'yes'))).toEqual(result(0, 'yes'));
  });

  it('of a later server get ids that the client has not seen', () => {
    const { ids, toServer, toClient } = questions();
    toClient(asks(0, 5));
    expect(ids.replace()).toEqual(['0']);
    expect(toClient(asks(0, 5))).toEqual(asks(1, 1));
    expect(toServer(progress(1, 1))).toEqual(progress(5, 1));
    expect(toClient(cancel(0))).toEqual(cancel(1));
    toClient(asks(3));
    expect(toServer(result(2, 'yes'))).toEqual(result(3, 'yes'));
  });

  it('of a server that is gone are not answered any more', () => {
    const { ids, toServer, toClient } = questions();
    toClient(asks(0, 5));
    ids.replace();
    expect(toServer(result(0, 'late'))).toBeUndefined();
    expect(toServer(progress(5, 1))).toBeUndefined();
  });
});
