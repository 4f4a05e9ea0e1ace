import { latin1 } from './faulty.ts';
import { ANSWER, type Form, PROGRESS } from './servers.ts';

/** What it hears where nothing is wrong. */
export const plain: Record<Form, string> = {
  json: '200 json 47/47 ANSWER end',
  sse: '200 sse «data: PROGRESS⏎⏎» «data: ANSWER⏎⏎» . end',
};

export interface Row {
  fault: string;
  /** What a raw client hears instead of an answer alone, and of an event and an answer. */
  json: string;
  sse: string;
  /** The clock has to go on for all that, and what is heard before. */
  first?: { json: string; sse: string };
  /** How many requests reach the server. */
  asked?: number;
}

const waits = { json: 'nothing', sse: '200 sse' };
const spaces = (text: string, length: number) => `{${' '.repeat(length - Buffer.byteLength(text))}${text.slice(1)}`;
const error = (code: number) => `{"jsonrpc":"2.0","id":1,"error":{"code":${code},"message":"Injected by mcp-record"}}`;
const broken = 'mcp-record: this is not HTTP\\r\\n\\r\\n';
const pieces =
  '«data: {"jsonrpc":"2.» «0","method":"notific» «ations/progress","pa» «rams":{"progressToke» «n":1,"progress":1}}⏎» «⏎» «data: {"jsonrpc":"2.» «0","id":1,"result":{» «"text":"Ã©"}}⏎⏎» .';

/** Each fault of the table, as a raw client sees it. */
export const rows: readonly Row[] = [
  { fault: 'latency::delay=50', ...plain, first: waits },
  { fault: 'stall::for=50', ...plain, first: waits },
  {
    fault: 'clog::for=50',
    json: plain.json,
    sse: '200 sse «data: PROGRESS⏎⏎data: ANSWER⏎⏎» . end',
    first: waits,
  },
  { fault: 'throttle::rate=1000', json: plain.json, sse: `200 sse ${pieces} end`, first: waits },
  { fault: 'slice::size=20,gap=0', json: plain.json, sse: `200 sse ${pieces} end` },
  {
    fault: 'slice::size=20,gap=1',
    json: plain.json,
    sse: `200 sse ${pieces} end`,
    first: { json: '200 json 20/47 {"jsonrpc":"2.0","id', sse: '200 sse «data: {"jsonrpc":"2.»' },
  },
  { fault: 'coalesce', json: plain.json, sse: '200 sse «data: PROGRESS⏎⏎data: ANSWER⏎⏎» . end' },
  { fault: 'drop', json: '200 json 0/0 end', sse: '200 sse . end' },
  {
    fault: 'duplicate',
    json: '200 sse «data: ANSWER⏎⏎» «data: ANSWER⏎⏎» . end',
    sse: '200 sse «data: PROGRESS⏎⏎» «data: PROGRESS⏎⏎» «data: ANSWER⏎⏎» «data: ANSWER⏎⏎» . end',
  },
  { fault: 'truncate', json: '200 json 10/47 {"jsonrpc" end', sse: '200 sse «data: {"js» . end' },
  { fault: 'truncate::bytes=0', json: '200 json 0/47 end', sse: '200 sse . end' },
  {
    fault: 'corrupt',
    json: `200 json 47/47 {#${latin1(ANSWER).slice(2)} end`,
    sse: `200 sse «data: {#${PROGRESS.slice(2)}⏎⏎» «data: ${latin1(ANSWER).replace('"id":', '"id#:')}⏎⏎» . end`,
  },
  {
    fault: 'corrupt:tools/call:kind=invalid-utf8',
    json: `200 json 47/47 {ÿ${latin1(ANSWER).slice(2)} end`,
    sse: `200 sse «data: PROGRESS⏎⏎» «data: {ÿ${latin1(ANSWER).slice(2)}⏎⏎» . end`,
  },
  {
    fault: 'corrupt:tools/call:kind=bad-json',
    json: `200 json 46/46 ${latin1(ANSWER).slice(0, -1)} end`,
    sse: `200 sse «data: PROGRESS⏎⏎» «data: ${latin1(ANSWER).slice(0, -1)}⏎⏎» . end`,
  },
  {
    fault: 'corrupt:tools/call:kind=not-json-rpc',
    json: '200 json 29/29 {"mcp-record":"not JSON-RPC"} end',
    sse: '200 sse «data: PROGRESS⏎⏎» «data: {"mcp-record":"not JSON-RPC"}⏎⏎» . end',
  },
  {
    fault: 'corrupt:tools/call:kind=framing',
    json: `"${broken}" end`,
    sse: `200 sse «data: PROGRESS⏎⏎» "${broken}" end`,
  },
  {
    fault: 'junk:tools/call:text=hi',
    json: '200 json 50/50 hi⏎ANSWER end',
    sse: '200 sse «data: PROGRESS⏎⏎» «: hi⏎⏎» «data: ANSWER⏎⏎» . end',
  },
  {
    fault: 'junk:tools/call:text=hi,kind=event',
    json: '200 json 50/50 hi⏎ANSWER end',
    sse: '200 sse «data: PROGRESS⏎⏎» «event: mcp-record⏎data: hi⏎⏎» «data: ANSWER⏎⏎» . end',
  },
  {
    fault: 'junk::kind=bom',
    json: '200 json 50/50 ï»¿ANSWER end',
    sse: '200 sse «ï»¿» «data: PROGRESS⏎⏎» «ï»¿» «data: ANSWER⏎⏎» . end',
  },
  {
    fault: 'oversize:tools/call:bytes=300',
    json: `200 json 300/300 ${latin1(spaces(ANSWER, 300))} end`,
    sse: `200 sse «data: PROGRESS⏎⏎» «data: ${latin1(spaces(ANSWER, 300))}⏎⏎» . end`,
  },
  {
    fault: 'wrong-id::id=other-type',
    json: `200 json 49/49 ${latin1(ANSWER).replace(':1,', ':"1",')} end`,
    sse: `200 sse «data: PROGRESS⏎⏎» «data: ${latin1(ANSWER).replace(':1,', ':"1",')}⏎⏎» . end`,
  },
  {
    fault: 'error-reply::code=-32601',
    json: `200 json 83/83 ${error(-32601)} end`,
    sse: `200 sse «data: PROGRESS⏎⏎» «data: ${error(-32601)}⏎⏎» . end`,
  },
  {
    fault: 'http-status::status=503',
    json: '503 text/plain 20/20 Service Unavailable end',
    sse: '503 text/plain 20/20 Service Unavailable end',
    asked: 0,
  },
  { fault: 'end:tools/call', json: '200 json 0/0 end', sse: '200 sse «data: PROGRESS⏎⏎» . end' },
  { fault: 'cut:tools/call', json: 'nothing end', sse: '200 sse «data: PROGRESS⏎⏎» end' },
  {
    fault: 'cut:tools/call:bytes=5',
    json: '200 json 5/47 {"jso end',
    sse: '200 sse «data: PROGRESS⏎⏎» «data:» end',
  },
  {
    fault: 'reset:tools/call',
    json: 'nothing ECONNRESET',
    sse: '200 sse «data: PROGRESS⏎⏎» ECONNRESET',
    first: { json: 'nothing', sse: '200 sse «data: PROGRESS⏎⏎»' },
  },
  {
    fault: 'reset:tools/call:bytes=5',
    json: '200 json 5/47 {"jso ECONNRESET',
    sse: '200 sse «data: PROGRESS⏎⏎» «data:» ECONNRESET',
    first: { json: '200 json 5/47 {"jso', sse: '200 sse «data: PROGRESS⏎⏎» «data:»' },
  },
  { fault: 'half-close:tools/call', json: '200 json 0/0 end', sse: '200 sse «data: PROGRESS⏎⏎» . end' },
  { fault: 'exit:tools/call', json: 'nothing end', sse: '200 sse «data: PROGRESS⏎⏎» end' },
  { fault: 'down', json: 'nothing ECONNREFUSED', sse: 'nothing ECONNREFUSED', asked: 0 },
  {
    fault: 'resume::retry=7',
    json: '200 sse «id: mcp-record-1⏎retry: 7⏎data: ⏎⏎» . end',
    sse: '200 sse «data: PROGRESS⏎⏎» «id: mcp-record-1⏎retry: 7⏎data: ⏎⏎» . end',
  },
  {
    fault: 'progress:notifications/progress:kind=storm,count=2',
    json: plain.json,
    sse: '200 sse «data: PROGRESS⏎⏎» «data: PROGRESS⏎⏎» «data: ANSWER⏎⏎» . end',
  },
  {
    fault: 'progress:notifications/progress:kind=after-answer',
    json: plain.json,
    sse: '200 sse «data: ANSWER⏎⏎» «data: PROGRESS⏎⏎» . end',
  },
];
