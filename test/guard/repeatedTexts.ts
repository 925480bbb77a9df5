// Texts for which a regular expression may take long: pieces that it matches, repeated.
import { type AST, parseRegExpLiteral, visitRegExpAST } from '@eslint-community/regexpp';

/** What a class of characters is sampled from, before all others. */
const CHARACTERS = [...'a0 \n\t-_./:="\'`()[]{}<>|,;xfZ\\*#%&+$@!?~^é私\0'];
const SAMPLES = 2;

export interface RepeatedText {
  readonly prefix: string;
  readonly piece: string;
}

/** The same texts for the same expression. */
export function createRepeatedTexts(source: string, flags: string): readonly RepeatedText[] {
  const { pattern } = parseRegExpLiteral(new RegExp(source, flags));
  const sample = createSampler(flags);
  const quantifiers: AST.Quantifier[] = [];
  const characters = new Set<string>();
  visitRegExpAST(pattern, {
    onQuantifierEnter: node => void (node.max > 1 && quantifiers.push(node)),
    onCharacterEnter: node => void characters.add(sample(node)),
    onCharacterSetEnter: node => void characters.add(sample(node)),
    onCharacterClassEnter: node => void characters.add(sample(node)),
  });
  const texts = [...characters].map(piece => ({ prefix: '', piece }));
  for (let count = 0; count < SAMPLES; count++) {
    const whole = sample(pattern);
    texts.push({ prefix: '', piece: whole }, { prefix: '', piece: whole.slice(0, -1) });
    for (const quantifier of quantifiers) {
      const piece = sample(quantifier.element);
      const prefix = getElementsBefore(quantifier).map(sample).join('');
      texts.push({ prefix, piece }, { prefix: '', piece: prefix }, { prefix: '', piece: prefix + piece });
      for (const other of quantifiers) texts.push({ prefix, piece: piece + sample(other.element) });
    }
  }
  const byText = new Map(texts.map(text => [JSON.stringify(text), text]));
  return [...byText.values()].filter(({ piece }) => piece !== '');
}

/** What must match before the node does. */
function getElementsBefore(node: AST.Element): readonly AST.Element[] {
  const before: AST.Element[] = [];
  for (let at: AST.Node = node; at.parent !== null; at = at.parent) {
    if (at.parent.type !== 'Alternative') continue;
    const { elements } = at.parent;
    before.unshift(...elements.slice(0, elements.indexOf(at as AST.Element)));
  }
  return before;
}

function createSampler(flags: string): (node: AST.Node) => string {
  let state = 1;
  const choose = <T>(list: readonly T[]): T => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return list[(state >> 12) % list.length] as T; // no list is empty
  };
  const chooseCharacter = (raw: string): string => {
    const one = new RegExp(`^${raw}$`, flags.replace(/[gyd]/g, ''));
    const found = CHARACTERS.filter(character => one.test(character));
    if (found.length > 0) return choose(found);
    for (let code = 0; code < 0xffff; code++) if (one.test(String.fromCharCode(code))) return String.fromCharCode(code);
    return '';
  };
  const sample = (node: AST.Node): string => {
    switch (node.type) {
      case 'Pattern':
      case 'Group':
      case 'CapturingGroup':
        return sample(choose<AST.Alternative>(node.alternatives));
      case 'Alternative':
        return node.elements.map(sample).join('');
      case 'Quantifier': {
        const count = Math.min(node.max, node.min + choose([0, 1, 3, 20]));
        return Array.from({ length: count }, () => sample(node.element))
          .join('')
          .slice(0, 400);
      }
      case 'Character':
        return String.fromCodePoint(node.value);
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return chooseCharacter(node.raw);
      default:
        return '';
    }
  };
  return sample;
}
