// The output channel "HexLens". Log lines never contain keys, queries or full hashes.
import { type LogOutputChannel, window } from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { Log } from '../base/log.ts';

export interface LogChannel extends Log, Disposable {
  show(): void;
}

export function createLogChannel(): LogChannel {
  const channel: LogOutputChannel = window.createOutputChannel('HexLens', { log: true });
  return {
    debug: message => channel.debug(message),
    info: message => channel.info(message),
    warn: message => channel.warn(message),
    error: message => channel.error(message),
    show: () => channel.show(true),
    dispose: () => channel.dispose(),
  };
}
