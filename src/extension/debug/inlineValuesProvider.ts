// Shows values of variables behind the lines of a function, as the setting "Debug: Inline Values" wants it.
import { debug, type InlineValuesProvider, InlineValueText, Range } from 'vscode';
import { INLINE_VALUES, listInlineNames } from './inlineValues.ts';

export const inlineValuesProvider: InlineValuesProvider = {
  async provideInlineValues(document, viewPort, { frameId, stoppedLocation }) {
    const session = debug.activeDebugSession;
    const names = listInlineNames(document.getText(), document.offsetAt(stoppedLocation.start));
    if (session === undefined || names.length === 0) return [];
    const values = new Map(Object.entries<string>(await session.customRequest(INLINE_VALUES, { frameId })));
    return names.flatMap(({ text, start, end }) => {
      const value = values.get(text);
      const range = new Range(document.positionAt(start), document.positionAt(end));
      return value === undefined || !viewPort.contains(range) ? [] : [new InlineValueText(range, `${text} = ${value}`)];
    });
  },
};
