// The output channel "HexLens". Log lines never contain keys, queries or full hashes.
import { type LogOutputChannel, window } from 'vscode';

export type LogChannel = ReturnType<typeof createLogChannel>;

export function createLogChannel() {
  let channel: LogOutputChannel | undefined;
  /** Created with the first line, which the start of a window has none of. */
  const get = () => {
    channel ??= window.createOutputChannel('HexLens', { log: true });
    return channel;
  };
  return {
    debug: (message: string) => get().debug(message),
    info: (message: string) => get().info(message),
    warn: (message: string) => get().warn(message),
    error: (message: string) => get().error(message),
    show: () => get().show(true),
    dispose: () => channel?.dispose(),
  };
}
