// Shell completion scripts, made of the same tables that parse the arguments.
import { operationIds, operations } from '../api/operations/operations.ts';
import { mcpOptions } from './mcpOptions.ts';
import { getOperationFlags } from './operationFlags.ts';
import type { OptionTable } from './options.ts';
import { chainOptions, groupOptions, serveOptions } from './serveOptions.ts';

export const shellNames = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shellNames)[number];

export const commandNames = ['serve', 'call', 'trace', 'simulate', 'diff', 'mcp', 'operations', 'completion'] as const;

const flagWords = (options: OptionTable) =>
  Object.values(options).flatMap(({ flag, isSecret }) => [`--${flag}`, ...(isSecret ? [`--${flag}-file`] : [])]);
const serveWords = [...flagWords(serveOptions), '--config', '--help'];
const mcpWords = [...flagWords(mcpOptions), '--config', '--help'];
const callWords = ['--url', '--key', '--key-file', '--config', '--all', '--pretty', '--help'];

const traceWords = [
  ...['--chain', '--project', '--calls', '--internal', '--state', '--gas', '--build', '--json', '--config', '--help'],
  ...flagWords(chainOptions),
];

const simulateWords = [
  ...['--from', '--to', '--function', '--args', '--data', '--transaction', '--value', '--gas', '--gas-price'],
  ...['--block', '--override', ...traceWords.filter(word => word !== '--gas')],
];

const diffWords = [
  ...['--from', '--to', '--chain', '--project', '--json', '--config', '--help'],
  ...flagWords(chainOptions),
];

/** Flags whose value is a path: the shell completes files after them. */
const PATH_FLAGS: readonly string[] = [
  `--${serveOptions.data.flag}`,
  `--${mcpOptions.abi.flag}`,
  '--config',
  '--key-file',
  '--project',
  '--store-file',
];
const fishFlag = (word: string) => `-l ${word.slice(2)}${PATH_FLAGS.includes(word) ? ' -r -F' : ''}`;

/** All words consist of letters, digits and dashes, so nothing needs quoting. */
export function createCompletionScript(shell: Shell): string {
  const own = operationIds.map(id => ({
    id,
    words: [...getOperationFlags(id).map(({ flag }) => `--${flag}`), ...flagWords(groupOptions[operations[id].group])],
  }));
  if (shell === 'fish') {
    const lines = [
      '# fish completion of hexlens: hexlens completion fish > ~/.config/fish/completions/hexlens.fish',
      'complete -c hexlens -f',
      `complete -c hexlens -n __fish_use_subcommand -a "${commandNames.join(' ')}"`,
      ...serveWords.map(word => `complete -c hexlens -n "__fish_seen_subcommand_from serve" ${fishFlag(word)}`),
      ...traceWords.map(word => `complete -c hexlens -n "__fish_seen_subcommand_from trace" ${fishFlag(word)}`),
      ...simulateWords.map(word => `complete -c hexlens -n "__fish_seen_subcommand_from simulate" ${fishFlag(word)}`),
      ...diffWords.map(word => `complete -c hexlens -n "__fish_seen_subcommand_from diff" ${fishFlag(word)}`),
      ...mcpWords.map(word => `complete -c hexlens -n "__fish_seen_subcommand_from mcp" ${fishFlag(word)}`),
      `complete -c hexlens -n "__fish_seen_subcommand_from call; and not __fish_seen_subcommand_from ${operationIds.join(' ')}" -a "${operationIds.join(' ')}"`,
      ...callWords.map(word => `complete -c hexlens -n "__fish_seen_subcommand_from call" ${fishFlag(word)}`),
      ...own.flatMap(({ id, words }) =>
        words.map(word => `complete -c hexlens -n "__fish_seen_subcommand_from ${id}" ${fishFlag(word)}`),
      ),
      `complete -c hexlens -n "__fish_seen_subcommand_from completion" -a "${shellNames.join(' ')}"`,
    ];
    return `${lines.join('\n')}\n`;
  }
  const cases = own.map(({ id, words }) => `        ${id}) words="${[...words, ...callWords].join(' ')}" ;;`);
  const bash = `_hexlens() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  case "\${COMP_WORDS[COMP_CWORD-1]}" in ${PATH_FLAGS.join('|')}) COMPREPLY=(); return ;; esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${commandNames.join(' ')} --help --version"
  else
    case "\${COMP_WORDS[1]}" in
    serve) words="${serveWords.join(' ')}" ;;
    trace) words="${traceWords.join(' ')}" ;;
    simulate) words="${simulateWords.join(' ')}" ;;
    diff) words="${diffWords.join(' ')}" ;;
    mcp) words="${mcpWords.join(' ')}" ;;
    completion) words="${shellNames.join(' ')}" ;;
    call)
      if [ "$COMP_CWORD" -eq 2 ]; then words="${operationIds.join(' ')}"
      else
        case "\${COMP_WORDS[2]}" in
${cases.join('\n')}
        esac
      fi ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _hexlens hexlens
`;
  if (shell === 'bash') return `# bash completion of hexlens: source <(hexlens completion bash)\n${bash}`;
  return `#compdef hexlens\n# zsh completion of hexlens: source <(hexlens completion zsh)\nautoload -U +X bashcompinit && bashcompinit\n${bash}`;
}
