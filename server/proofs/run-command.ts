import { spawn } from 'node:child_process';

/** Runs a command line as a user would type it; resolves with what it said of its failure, undefined where there is none. */
export function failureOf(command: string, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(command, {
      // npm is a script on Windows.
      shell: true,
      signal,
      stdio: ['ignore', 'ignore', 'pipe'],
      windowsHide: true,
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code) =>
      resolve(code === 0 ? undefined : said.trim() || `It ended with exit code ${code}.`),
    );
  });
}
