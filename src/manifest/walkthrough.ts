// The walkthrough: five steps from a node to the inspector, each with a picture and a command.
import { contextKeys } from './identifiers.ts';
import { type NlsText, nlsText } from './nlsText.ts';

interface Step {
  readonly id: string;
  readonly title: NlsText;
  readonly description: NlsText;
  /** Its colours are variables of the theme. */
  readonly media: { readonly svg: string; readonly altText: NlsText };
  /** Contexts that are set at activation too complete a step that was done before the page is opened. */
  readonly completionEvents: readonly string[];
}

const steps: readonly Step[] = [
  {
    id: 'connect',
    title: nlsText('Connect a node'),
    description: nlsText(
      'HexLens reads your own node: a dev chain such as Anvil or Hardhat at 127.0.0.1:8545 is found automatically, without a key or a sign-up. Other nodes are added with one command.\n[Connect Node](command:hexlens.connectNode)',
    ),
    media: { svg: 'media/walkthrough/connect.svg', altText: nlsText('The list of nodes found on this machine') },
    completionEvents: [`onContext:${contextKeys.connected}`],
  },
  {
    id: 'hover',
    title: nlsText('Hover any hex'),
    description: nlsText(
      'Point at an address, a transaction hash or a block hash in any file. The hover shows at once what it is, and a moment later what is on your chains.',
    ),
    media: { svg: 'media/walkthrough/hover.svg', altText: nlsText('A hover over a token contract') },
    completionEvents: [`onContext:${contextKeys.hovered}`],
  },
  {
    id: 'lookUp',
    title: nlsText('Look anything up'),
    description: nlsText(
      'One input box for addresses, hashes, block numbers, saved names, ENS names and explorer links, with a history for each chain.\n[Look Up…](command:hexlens.lookUp)',
    ),
    media: {
      svg: 'media/walkthrough/lookUp.svg',
      altText: nlsText('The look-up box with the preview of an address'),
    },
    completionEvents: [
      `onContext:${contextKeys.lookedUp}`,
      'onCommand:hexlens.lookUp',
      'onCommand:hexlens.lookUpSelection',
      'onCommand:hexlens.lookUpUnderCursor',
    ],
  },
  {
    id: 'save',
    title: nlsText('Give addresses a name'),
    description: nlsText(
      'Save an address with the bookmark in the look-up box. Hovers and lists then show its name instead of the digits.\n[Look Up…](command:hexlens.lookUp)',
    ),
    media: { svg: 'media/walkthrough/save.svg', altText: nlsText('A saved address found by its name') },
    completionEvents: [`onContext:${contextKeys.hasSavedAddress}`],
  },
  {
    id: 'inspect',
    title: nlsText('Inspect what happened'),
    description: nlsText(
      'Blocks, logs, NFT transfers and owners, balances: select an operation, and HexLens prompts for its parameters and suggests values under the cursor.\n[Run Operation…](command:hexlens.runOperation)',
    ),
    media: { svg: 'media/walkthrough/inspect.svg', altText: nlsText('A block in the inspector') },
    completionEvents: [
      `onContext:${contextKeys.inspected}`,
      'onCommand:hexlens.inspect',
      'onCommand:hexlens.runOperation',
    ],
  },
];

/** `contributes.walkthroughs`. */
export const walkthroughs = [
  {
    id: 'start',
    title: nlsText('See what raw hex is on-chain'),
    description: nlsText('Connect a node, hover an address, look up a hash, save a name, open a block.'),
    steps,
  },
] as const;
