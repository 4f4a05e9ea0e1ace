/** Keeps the events of one session by ids of which none names it, so that a client that lost a stream can have the rest. */
export function eventStore() {
  const events = [];
  return {
    async storeEvent(streamId, message) {
      events.push({ streamId, message });
      return String(events.length);
    },
    async getStreamIdForEventId(id) {
      return events[Number(id) - 1]?.streamId;
    },
    async replayEventsAfter(id, { send }) {
      const { streamId } = events[Number(id) - 1];
      for (const [n, event] of events.entries())
        if (n >= Number(id) && event.streamId === streamId && event.message.jsonrpc)
          await send(String(n + 1), event.message);
      return streamId;
    },
  };
}
