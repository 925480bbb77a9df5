// The walkthrough: four steps on the sample chain, each with a picture and a button that does it there.
import { contextKeys } from './identifiers.ts';
import { type NlsText, nlsText } from './nlsText.ts';

interface Step {
  readonly id: string;
  readonly title: NlsText;
  readonly description: NlsText;
  readonly media: { readonly image: string; readonly altText: NlsText };
  /** Contexts that are set at activation too complete a step that was done before the page is opened. */
  readonly completionEvents: readonly string[];
}

/** The link of a button that does the step in the window of the sample. */
const onSample = (title: string, step: string): string =>
  `[${title}](command:hexlens.trySample?${encodeURIComponent(JSON.stringify(step))})`;

const steps: readonly Step[] = [
  {
    id: 'hover',
    title: nlsText('Hover any hex'),
    description: nlsText(
      `Rest the pointer on an address, a transaction hash or a block hash in any file: what it is comes at once, what is on your chains a moment later. A dev chain at 127.0.0.1:8545 is found by itself; [Connect Node](command:hexlens.connectNode) adds others.\n${onSample('Try on a Sample Chain', 'hover')}`,
    ),
    media: {
      image: 'media/walkthrough/hover.png',
      altText: nlsText('The hover of a failed transaction names the error, its values and the line of Solidity'),
    },
    completionEvents: [`onContext:${contextKeys.hovered}`],
  },
  {
    id: 'failure',
    title: nlsText('See the line that failed'),
    description: nlsText(
      `The hover of a failed transaction and its page have the stack of Solidity, by the build of your project. Show Failure in Source puts the error at its line.\n${onSample('Show a Failure', 'failure')}`,
    ),
    media: {
      image: 'media/walkthrough/failure.png',
      altText: nlsText('A line of a contract with the error that it threw'),
    },
    completionEvents: ['onCommand:hexlens.showFailure', 'onCommand:hexlens.trySample'],
  },
  {
    id: 'debug',
    title: nlsText('Step through it, forward and back'),
    description: nlsText(
      `Debug Transaction runs any mined transaction in VS Code's debugger: breakpoints, variables, steps in both directions.\n${onSample('Debug a Transaction', 'debug')}`,
    ),
    media: {
      image: 'media/walkthrough/debug.png',
      altText: nlsText('A transaction stopped at a line, with its variables'),
    },
    completionEvents: ['onCommand:hexlens.debugTransaction'],
  },
  {
    id: 'save',
    title: nlsText('Give addresses a name'),
    description: nlsText(
      `Hovers, pages and lists then show the name instead of the digits: for you, or for your team in a file of the repository.\n${onSample('Name an Address', 'save')}`,
    ),
    media: {
      image: 'media/walkthrough/save.png',
      altText: nlsText('A saved address in the sidebar with what it holds'),
    },
    completionEvents: [`onContext:${contextKeys.hasSavedAddress}`],
  },
];

/** `contributes.walkthroughs`. */
export const walkthroughs = [
  {
    id: 'start',
    title: nlsText('See what raw hex is on-chain'),
    description: nlsText('Hover a failed transaction, see its line, step through it, name an address.'),
    steps,
  },
] as const;
