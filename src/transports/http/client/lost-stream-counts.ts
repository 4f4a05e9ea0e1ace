/** Numbers of event streams. */
export interface StreamCounts {
  /** Streams that the server ended although more messages were expected. */
  lost: number;
  /** Lost streams that were resumed. */
  resumed: number;
}
