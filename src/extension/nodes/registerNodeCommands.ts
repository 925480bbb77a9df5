// The commands Connect Node and Switch Chain.
import type { Disposable } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { commandIds } from '../../manifest/commands.ts';
import { registerLazyCommands } from '../commands/lazyCommands.ts';
import type { NodeCommandsDeps } from './pickNode.ts';

export function registerNodeCommands(deps: NodeCommandsDeps): Disposable {
  const load = lazy(async () => new (await import('./nodeCommands.ts')).NodeCommands(deps));
  return registerLazyCommands(load, {
    [commandIds.connectNode]: (nodes, url) => nodes.connect(url),
    [commandIds.switchChain]: nodes => nodes.switchChain(),
  });
}
