/** Numbers of event streams. */
export interface StreamCounts {
  /** Streams that the server has ended while more was expected on them. */
  lost: number;
  /** Those of them that went on. */
  resumed: number;
}
