// The output channel "HexLens". Log lines never contain keys, queries or full hashes.
import { type LogOutputChannel, window } from 'vscode';

export type LogChannel = ReturnType<typeof createLogChannel>;

export function createLogChannel() {
  const channel: LogOutputChannel = window.createOutputChannel('HexLens', { log: true });
  return {
    debug: (message: string) => channel.debug(message),
    info: (message: string) => channel.info(message),
    warn: (message: string) => channel.warn(message),
    error: (message: string) => channel.error(message),
    show: () => channel.show(true),
    dispose: () => channel.dispose(),
  };
}
