export interface ProgressLine {
  show(text: string): void;
  clear(): void;
}

/** One line on stderr that replaces itself; nothing unless a person is watching. */
export function progressLine(): ProgressLine {
  const { stderr } = process;
  if (!stderr.isTTY || process.env['CI']) return { show() {}, clear() {} };
  return {
    show: (text) => void stderr.write(`\r\x1b[2Kdeadtime: ${text}`),
    clear: () => void stderr.write('\r\x1b[2K'),
  };
}
