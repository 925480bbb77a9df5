// The node of the sample workspace: a chain that was recorded from Anvil by `npm run sample`.
import chain from './chain.json' with { type: 'json' };
import type { RecordedChain } from './recordedChain.ts';
import { RecordedNode } from './recordedNode.ts';

export const createSampleNode = (): RecordedNode => new RecordedNode(chain as unknown as RecordedChain);
