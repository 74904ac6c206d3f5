import { type Connection, MessageType, ShowMessageNotification } from 'vscode-languageserver/node';
import { plainMessage } from './plain-message.ts';

/** Messages that a client shows in front of the text. */
export interface Warnings {
  show(warning: string): void;
  /** Each once: every analysis reports them until they are fixed. */
  showMistakes(mistakes: readonly string[]): void;
}

export function warningsOf(connection: Connection): Warnings {
  const shown = new Set<string>();
  const show = (warning: string) => {
    const { type } = ShowMessageNotification;
    const message = plainMessage(`Deadtime: ${warning}`);
    void connection.sendNotification(type, { type: MessageType.Warning, message });
  };
  return {
    show,
    showMistakes(mistakes) {
      for (const it of mistakes) {
        if (shown.has(it)) continue;
        shown.add(it);
        show(it);
      }
    },
  };
}
