// The walkthrough: five steps from a node to the inspector, each with a picture and the command that does it.
import { type NlsText, text } from './nlsText.ts';

interface Step {
  readonly id: string;
  readonly title: NlsText;
  readonly description: NlsText;
  readonly media:
    | { readonly image: string; readonly altText: NlsText }
    | { readonly svg: string; readonly altText: NlsText };
  readonly completionEvents: readonly string[];
}

const steps: readonly Step[] = [
  {
    id: 'connect',
    title: text('Connect a node'),
    description: text(
      'HexLens reads your own node: a dev chain such as Anvil or Hardhat at 127.0.0.1:8545 is found by itself, without a key or a sign-up. Other nodes are added with one command.\n[Connect Node](command:hexlens.connectNode)',
    ),
    media: { image: 'media/walkthrough/connect.png', altText: text('The list of nodes that answer on this machine') },
    completionEvents: ['onCommand:hexlens.connectNode', 'onCommand:hexlens.showStatus'],
  },
  {
    id: 'hover',
    title: text('Hover any hex'),
    description: text(
      'Point at an address, a transaction hash or a block hash in any file. The hover says at once what it is, and a moment later what your chains know of it.',
    ),
    media: { image: 'media/walkthrough/hover.png', altText: text('A hover over a token contract') },
    completionEvents: ['onCommand:hexlens.copyText', 'onCommand:hexlens.openExternal', 'onCommand:hexlens.lookUpHash'],
  },
  {
    id: 'lookUp',
    title: text('Look anything up'),
    description: text(
      'One box takes it all: addresses, hashes, block numbers, saved names, ENS names, explorer links. It remembers what you looked up on each chain.\n[Look Up…](command:hexlens.lookUp)',
    ),
    media: { image: 'media/walkthrough/lookUp.png', altText: text('The look-up box with the preview of an address') },
    completionEvents: ['onCommand:hexlens.lookUp', 'onCommand:hexlens.lookUpSelection'],
  },
  {
    id: 'save',
    title: text('Give addresses a name'),
    description: text(
      'Save an address with the bookmark in the look-up box. Its name then stands in hovers and lists in place of the digits.\n[Look Up…](command:hexlens.lookUp)',
    ),
    media: { image: 'media/walkthrough/save.png', altText: text('A saved address found by its name') },
    completionEvents: ['onCommand:hexlens.lookUp'],
  },
  {
    id: 'inspect',
    title: text('Inspect what happened'),
    description: text(
      'Every operation is a command: blocks, logs, NFT transfers and owners, balances. Each asks for what it needs and offers what is under the cursor.\n[Open a block](command:hexlens.call.block)',
    ),
    media: { image: 'media/walkthrough/inspect.png', altText: text('The parameters of an operation') },
    completionEvents: ['onCommand:hexlens.inspect', 'onCommand:hexlens.call.block'],
  },
];

/** `contributes.walkthroughs`. */
export const walkthroughs = [
  {
    id: 'start',
    title: text('See what raw hex is on-chain'),
    description: text('Connect a node, hover an address, look up a hash, save a name, open a block.'),
    steps,
  },
] as const;
