/** Times from requests to their answers, in milliseconds. */
export interface LoadPageTimes {
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

/** A second of a load, or a longer interval. */
export interface LoadPageInterval {
  at: number;
  duration: number;
  answers: number;
  failed: number;
  sessions: number;
  /** Absent: none was answered. */
  took?: LoadPageTimes;
}

/** Figures of the requests of one title. */
export interface LoadPageCall {
  what: string;
  answers: number;
  failed: number;
  took?: LoadPageTimes;
}

/** Kind of failure, with the values of its first occurrence. */
export interface LoadPageFailure {
  step: { title: string; file?: string; line?: number; headline?: string; recorded?: unknown; live?: unknown };
  count: number;
  session: number;
}

/** Threshold with the measured value. */
export interface LoadPageThreshold {
  text: string;
  /** Title of the requests that the threshold measures. Absent: all requests. */
  what?: string;
  metric: string;
  value: number;
  holds: boolean;
}

/** What was run: the program, the server, and the options that shape the load. */
export interface LoadPageRun {
  version: string;
  date: string;
  url?: string;
  command?: readonly string[];
  clients: number;
  rate?: number;
  for: number;
  ramp: number;
  workers: number;
}

/** Figures that the page draws, of those of `load --json`. Times are in milliseconds. */
export interface LoadPageFigures {
  run: LoadPageRun;
  files: readonly string[];
  duration: number;
  sessions: number;
  failedSessions: number;
  answers: number;
  checks: number;
  failed: number;
  /** Event streams that the server has ended too early, and how many of them clients have resumed. */
  lostStreams: number;
  resumedStreams: number;
  calls: readonly LoadPageCall[];
  intervals: readonly LoadPageInterval[];
  failures: readonly LoadPageFailure[];
  thresholds: readonly LoadPageThreshold[];
  notes: readonly string[];
}

/** Check of a load, as listed on a terminal. */
export interface LoadPageCheck {
  title: string;
  status: string;
  headline?: string;
}

/** Data of the page of a load. */
export interface LoadPageData {
  version: string;
  figures: LoadPageFigures;
  checks: readonly LoadPageCheck[];
}
