/** An event of a cassette, as YAML has it. */
export type Event = Record<string, unknown>;

/** A cassette as data: its header, and its events. */
export interface Data {
  header: Record<string, unknown>;
  events: Event[];
}

/** A change to a cassette that a stranger could make, by its name. */
export type Change = readonly [name: string, change: (data: Data) => Data];

/** The event, and an answer to it. */
export const beside = (event: Event): Event[] => [event, { response: 200, stream: event.stream ?? 90 }];
/** Adds events after the first ones. */
export const added = (name: string, ...events: Event[]): Change => [
  name,
  ({ header, events: old }) => ({ header, events: [...old.slice(0, 4), ...events, ...old.slice(4)] }),
];
/** Changes each message. */
export const members = (name: string, change: (message: Record<string, unknown>, index: number) => unknown): Change => [
  name,
  ({ header, events }) => ({
    header,
    events: events.map((event, index) => {
      const side = ['client', 'server'].find((one) => typeof event[one] === 'object' && event[one] !== null);
      return side === undefined ? event : { ...event, [side]: change(event[side] as Record<string, unknown>, index) };
    }),
  }),
];
