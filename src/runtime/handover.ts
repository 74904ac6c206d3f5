/** What `deadtime run` hands over to the processes that it measures. */
export interface Handover {
  /** The path of the plan. */
  readonly plan: string;
  /** The folder in which each process writes its recording. */
  readonly recordings: string;
  /** When the command was given, in milliseconds since 1970. */
  readonly startedAt: number;
  /** The command, as the recording shows it. */
  readonly program: string;
  /** The user has asked for it, although `NODE_ENV` is `production`. */
  readonly isForProduction: boolean;
}

/** What follows the number of a process in the name of the file that it writes when it starts. */
export const STARTED = '.started';

/** The environment variable that has it as JSON. */
export const ENVIRONMENT = 'DEADTIME_RUN';

export function handoverOf(
  environment: Readonly<Record<string, string | undefined>>,
): Handover | undefined {
  const text = environment[ENVIRONMENT];
  return text === undefined ? undefined : (JSON.parse(text) as Handover);
}
