// One hover over a contract that several chains have: what is the same on another chain is not shown twice.
import { t } from '../../base/localize.ts';
import { escapeMarkdown } from './markdown.ts';

interface FullHover {
  readonly title: string;
  readonly body: string;
}

/** Shorter texts are not worth a remark. */
const MIN_LINES = 2;

const LINE_BREAK = '  \n';

/** Links name their chain. */
const withoutLinks = (lines: readonly string[]): string => lines.join('\n').replace(/\(command:[^()]*\)/g, '');

export class RepeatedHovers {
  /** The hover that is shown: a position of a version of a document. */
  #place = '';
  /** The texts in it that are shown whole, by chain. */
  #full = new Map<string, FullHover>();

  /** The text of a chain, without the lines that another chain's text in the same hover has; `title` is the chain's. */
  shorten(place: string, title: string, text: string): string {
    if (place !== this.#place) {
      this.#place = place;
      this.#full = new Map();
    }
    const [head = '', ...rest] = text.split(LINE_BREAK);
    const actions = rest.at(-1)?.startsWith('[') ? rest.slice(-1) : [];
    const body = withoutLinks(rest.slice(0, rest.length - actions.length));
    const same = [...this.#full.values()].find(other => other.title !== title && other.body === body);
    if (same === undefined || rest.length - actions.length < MIN_LINES) {
      this.#full.set(title, { title, body });
      return text;
    }
    return [`${head} · ${t('the same as on {0}', escapeMarkdown(same.title))}`, ...actions].join(LINE_BREAK);
  }
}
